import { Command, type CommandUnknownOpts, type OptionValues } from '@commander-js/extra-typings'
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

/** Ends the program with this one line and status 1. */
export class AdminError extends CommandError {}

/** Opens what a command works on. Makes a missing local state only for commands with `makesState`. */
export type OpenContext = (makesState: boolean) => Promise<AdminContext>

/** `npm run admin`. It opens nothing before it has parsed its command line. */
export class AdminProgram extends Command {
  readonly open: OpenContext

  constructor(open: OpenContext) {
    super('npm run admin --')
    this.open = open
  }
}

/**
 * Gives a command its action. A failure that the operator can understand is an `AdminError` or a
 * `UsageError`; anything else is a defect, shown in one line.
 */
export function adminCommand<Words extends unknown[], Values extends OptionValues>(
  command: Command<Words, Values>,
  run: (words: Words, context: AdminContext, values: Values) => Promise<void>,
  { makesState = false } = {},
): Command<Words, Values> {
  return command.action(async () => {
    try {
      const context = await programOf(command).open(makesState)
      await run(command.processedArgs as unknown as Words, context, command.opts())
    } catch (error) {
      if (error instanceof CommandError || error instanceof UsageError) throw error
      throw new CommandError(describeFailure(error), { cause: error })
    }
  })
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
  const codes = chainOf(error).flatMap(({ code }) => (typeof code === 'string' ? [code] : []))
  const where = stack.length === 0 ? '' : ` at ${stack[0]}`
  return `${[kind, ...codes].join(', ')}${where}: what was done stands, run it again`
}

function chainOf(error: unknown): { code?: unknown }[] {
  const chain: { code?: unknown; cause?: unknown }[] = []
  for (let one = error; one instanceof Error && chain.length < 5; one = one.cause) chain.push(one)
  return chain
}
