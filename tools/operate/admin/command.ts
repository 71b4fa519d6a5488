import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings'
import { CommandError, UsageError } from '../../support/arguments.ts'
import { describeFailure as failureOf } from '../../../shared/log.ts'

export interface AdminContext {
  db: D1Database
  kv: KVNamespace
  now: () => number
  /** Prints a line of the result to standard output. */
  print: (line: string) => void
  /** Prints a line of progress or a warning to standard error. */
  warn: (line: string) => void
  /** Whether `db` and `kv` belong to the deployed service. */
  remote: boolean
  /** The folder of the local state, which also has the secrets of the local service. */
  stateDir: string
}

/** Opens what the command of this name works on. */
export type OpenContext = (command: string) => Promise<AdminContext>

/** `npm run admin`. It opens nothing before it has parsed its command line. */
export class AdminProgram extends Command {
  readonly open: OpenContext

  constructor(open: OpenContext) {
    super('npm run admin --')
    this.open = open
  }
}

/**
 * The action of a command: `work` gets the context, then the command's arguments and options. A
 * failure that the operator can understand is a `CommandError` or a `UsageError`; anything else is
 * a defect, shown in one line.
 */
export function run<Words extends unknown[]>(
  work: (context: AdminContext, ...words: Words) => Promise<void>,
): (...words: Words) => Promise<void> {
  return async (...words) => {
    const command = words.at(-1) as CommandUnknownOpts
    try {
      await work(await programOf(command).open(command.name()), ...words)
    } catch (error) {
      if (error instanceof CommandError || error instanceof UsageError) throw error
      throw new CommandError(describeFailure(error), { cause: error })
    }
  }
}

function programOf(command: CommandUnknownOpts): AdminProgram {
  return command.parent ? programOf(command.parent) : (command as AdminProgram)
}

/**
 * One line for an unexpected failure: its kind, its code and our own function. Leaves the message
 * out, because the message of a failed query may contain an e-mail address or a digest.
 */
export function describeFailure(error: unknown): string {
  const { kind, stack = [] } = failureOf(error)
  const codes: string[] = []
  for (let one = error; one instanceof Error; one = one.cause)
    if ('code' in one && typeof one.code === 'string') codes.push(one.code)
  const where = stack.length === 0 ? '' : ` at ${stack[0]}`
  return `${[kind, ...codes].join(', ')}${where}: what was done stands, run it again`
}
