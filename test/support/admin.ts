import type { AdminContext } from '../../tools/operate/admin/command.ts'
import { adminProgram } from '../../tools/operate/admin/commands.ts'
import { quiet } from '../../tools/support/arguments.ts'
import { art } from './instant.ts'

/** Runs `npm run admin` on a database, at noon, and returns the printed lines. */
export async function runAdmin(
  context: Pick<AdminContext, 'db' | 'kv'> & Partial<AdminContext>,
  ...words: readonly string[]
): Promise<string[]> {
  const lines: string[] = []
  const program = adminProgram(async () => ({
    now: () => art('2026-03-02 12:00'),
    print: (line) => lines.push(line),
    warn: () => {},
    remote: false,
    stateDir: '.state',
    ...context,
  }))
  await quiet(program).parseAsync(words, { from: 'user' })
  return lines
}

/** Everything that a command prints, and its error as the last line. */
export async function outputOf(
  context: Parameters<typeof runAdmin>[0],
  ...words: readonly string[]
): Promise<string> {
  const lines: string[] = []
  const print = (line: string) => void lines.push(line)
  await runAdmin({ ...context, print, warn: print }, ...words).catch((error: Error) =>
    print(`error: ${error.message}`),
  )
  return lines.join('\n')
}
