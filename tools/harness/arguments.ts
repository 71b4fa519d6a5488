import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'

/** A failure that the operator can understand. The command prints its text and exits with 1. */
export class CommandError extends Error {}

/** A command line that cannot be used; the text is for the user. */
export class UsageError extends Error {}

/** Reads a command line; an unknown option, and a word where none belongs, is a `UsageError`. */
export function readArguments<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  { allowPositionals = false } = {},
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

export function readWhole(name: string, text: string, least: number, most: number): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < least || value > most)
    throw new UsageError(`${name} must be a whole number from ${least} to ${most}`)
  return value
}

const SEED_MAX = 2 ** 31 - 1

/** `--seed`, chosen when it is absent. */
export function readSeed(text: string | undefined): number {
  if (text === undefined) return Math.floor(Math.random() * SEED_MAX)
  return readWhole('--seed', text, 0, SEED_MAX)
}

export function readVar(text: string): [name: string, value: string] {
  const [, name, value] = /^([A-Z][A-Z0-9_]*)=([\s\S]*)$/.exec(text) ?? []
  if (name === undefined || value === undefined) throw new UsageError('--var needs NAME=VALUE')
  return [name, value]
}

/**
 * Runs a command: `--help` prints its usage, a `UsageError` ends it with 2 and a `CommandError`
 * with 1, each in one line. Any other error is a defect.
 */
export async function runCommand(
  usage: string,
  run: (args: string[]) => void | Promise<void>,
): Promise<void> {
  const args = process.argv.slice(2)
  if (args.includes('--help') || args.includes('-h')) return console.log(usage)

  try {
    await run(args)
  } catch (error) {
    const isUsage = error instanceof UsageError
    if (!isUsage && !(error instanceof CommandError)) throw error
    console.error(`error: ${error.message}${isUsage ? `\n\n${usage}` : ''}`)
    process.exitCode = isUsage ? 2 : 1
  }
}
