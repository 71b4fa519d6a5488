import { CommanderError, type CommandUnknownOpts, Option } from '@commander-js/extra-typings'

/** A failure that the operator can understand. The command prints its text and exits with 1. */
export class CommandError extends Error {}

/** A wrong command line. The command prints its text and its help, and exits with 2. */
export class UsageError extends Error {}

/** Makes a command and its subcommands throw, instead of printing an error and exiting. */
export function quiet(command: CommandUnknownOpts): CommandUnknownOpts {
  command.commands.forEach(quiet)
  return command.exitOverride().configureOutput({ outputError: () => {} })
}

function usageError(error: unknown): unknown {
  if (!(error instanceof CommanderError)) return error
  return new UsageError(error.message.replace(/^error: /, ''))
}

/** An option that takes a whole number: `--requests <N>`. */
export function whole<const Flags extends string>(
  flags: Flags,
  help: string,
  least: number,
  most: number,
) {
  const [name] = flags.split(' ') as [string]
  return new Option(flags, help).argParser((text) => readWhole(name, text, least, most))
}

export function readWhole(name: string, text: string, least: number, most: number): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < least || value > most)
    throw new UsageError(`${name} must be a whole number from ${least} to ${most}`)
  return value
}

/** A parser for an option that names a folder. */
export function folder(name: string) {
  return (text: string): string => {
    if (text === '') throw new UsageError(`${name} needs a folder`)
    return text
  }
}

/** A parser for an option that may be given several times. */
export function each<Value>(read: (text: string) => Value) {
  return (text: string, before: Value[]): Value[] => [...before, read(text)]
}

export function readVar(text: string): [name: string, value: string] {
  const [, name, value] = /^([A-Z][A-Z0-9_]*)=([\s\S]*)$/.exec(text) ?? []
  if (name === undefined || value === undefined) throw new UsageError('--var needs NAME=VALUE')
  return [name, value]
}

/**
 * Parses the command line and runs the command. A `UsageError` exits with 2, a `CommandError` with
 * 1, each with one line `error: …`. Any other error is a defect.
 */
export async function runCommand(command: CommandUnknownOpts, argv = process.argv): Promise<void> {
  // `… | head` closes the pipe early.
  process.stdout.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit()
  })
  try {
    await quiet(command).parseAsync(argv)
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return
    const error = usageError(thrown)
    const isUsage = error instanceof UsageError
    if (!isUsage && !(error instanceof CommandError)) throw error
    // A group of commands without a subcommand prints its help.
    const isGroup = thrown instanceof CommanderError && thrown.code === 'commander.help'
    if (!isGroup) console.error(`error: ${error.message}`)
    if (isUsage && !isGroup) command.outputHelp({ error: true })
    process.exitCode = isUsage ? 2 : 1
  }
}
