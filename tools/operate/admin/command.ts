import type { Command, OptionValues } from '@commander-js/extra-typings'
import { CommandError, readArguments } from '../../support/arguments.ts'
import { describeFailure as failureOf } from '../../../shared/log.ts'

/** One command of `npm run admin`. Each group of commands is a file beside this one. */
export interface AdminCommand {
  /** One or two words: `cycle`, `key create`. */
  name: string
  /** Its arguments, its options and its `--help`. */
  command: Command<unknown[], OptionValues>
  /**
   * Does it, as its command line says, which commander has parsed. A failure that the operator can
   * understand is an `AdminError` or a `UsageError`; anything else is a defect.
   */
  runParsed(context: AdminContext): Promise<void>
  /** Parses its command line and does it. */
  run(args: readonly string[], context: AdminContext): Promise<void>
}

export interface AdminContext {
  db: D1Database
  kv: KVNamespace
  now: () => number
  /** A line of the answer, on standard output. */
  print: (line: string) => void
  /** A line about the work (progress, doubts), on standard error. */
  warn: (line: string) => void
  /** Whether `db` and `kv` are those of the deployed service. */
  remote: boolean
  /** The folder of the local state; secrets of the local service are in it. */
  stateDir: string
}

/** Ends the program with this one line and status 1. */
export class AdminError extends CommandError {}

export function adminCommand<Words extends unknown[], Values extends OptionValues>(
  command: Command<Words, Values>,
  run: (words: Words, context: AdminContext, values: Values) => Promise<void>,
): AdminCommand {
  const runParsed = (context: AdminContext) =>
    run(command.processedArgs as unknown as Words, context, command.opts())
  return {
    name: command.name(),
    command: command as unknown as AdminCommand['command'],
    runParsed,
    async run(args, context) {
      readArguments(command, args)
      await runParsed(context)
    },
  }
}

/**
 * One line for an unexpected failure: its kind, its code and our own function. The message is left
 * out, because that of a failed query may hold an e-mail or a digest.
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
