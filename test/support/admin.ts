import type { AdminCommand, AdminContext } from '../../tools/operate/admin/command.ts'
import { env } from './env.ts'
import { art } from './instant.ts'

/** Runs a command on the test's database and gives back the lines that it printed. */
export async function runAdmin(
  commands: readonly AdminCommand[],
  name: string,
  ...args: string[]
): Promise<string[]> {
  const lines: string[] = []
  const context: AdminContext = {
    db: env.DB,
    kv: env.BOARD,
    now: () => art('2026-03-02 12:00'),
    print: (line) => lines.push(line),
    warn: () => {},
    remote: false,
    stateDir: '.state',
  }
  await commands.find((command) => command.name === name)!.run(args, context)
  return lines
}
