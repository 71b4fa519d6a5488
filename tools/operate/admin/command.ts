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

/** Opens the context of the command with this name. */
export type OpenContext = (command: string) => Promise<AdminContext>

/** `npm run admin`. Opens the storage only after it has parsed the command line. */
export class AdminProgram extends Command {
  readonly open: OpenContext

  constructor(open: OpenContext) {
    super('npm run admin --')
    this.open = open
  }
}

/**
 * The action of a command: `work` gets the context, then the command's arguments and options. For
 * failures that the operator can understand, `work` throws a `CommandError` or a `UsageError`. Any
 * other error is a defect, and is shown in one line.
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
 * One line for an unexpected failure: its kind, its codes and our innermost function. Without the
 * message, because the message of a failed query may contain an e-mail address or a digest.
 */
export function describeFailure(error: unknown): string {
  const { kind, stack = [] } = failureOf(error)
  const codes: string[] = []
  for (let one = error; one instanceof Error; one = one.cause)
    if ('code' in one && typeof one.code === 'string') codes.push(one.code)
  const where = stack.length === 0 ? '' : ` at ${stack[0]}`
  return `${[kind, ...codes].join(', ')}${where}: finished steps stay, run the command again`
}
