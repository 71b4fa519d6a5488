import type { Command, OptionValues } from '@commander-js/extra-typings'
import { CommandError, readArguments } from '../../support/arguments.ts'

/** One command of `npm run admin`. Each group of commands is a file beside this one. */
export interface AdminCommand {
  /** One or two words: `cycle`, `key create`. */
  name: string
  /** Its words and options, what it does, and more for its `--help`. */
  command: Command<unknown[], OptionValues>
  /**
   * Does it. A failure that the operator can understand is an `AdminError` or a `UsageError`;
   * anything else is a defect.
   */
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
  return {
    name: command.name(),
    command: command as unknown as AdminCommand['command'],
    async run(args, context) {
      const { words, values } = readArguments(command, args)
      await run(words, context, values)
    },
  }
}
