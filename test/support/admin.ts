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
