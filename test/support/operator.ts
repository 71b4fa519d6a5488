import type { AdminContext } from '../../tools/operate/admin/command.ts'
import { commands } from '../../tools/operate/admin/commands.ts'
import { openLocal } from '../../tools/operate/admin/open-local.ts'

const named = (words: string[]) => commands.find(({ name }) => name === words.join(' '))

/** An operator's commands on the data of one state folder, without a process for each. */
export async function openOperator(stateDir: string) {
  const { db, kv, ...storage } = await openLocal(stateDir)
  return {
    db,
    kv,
    /** Does one, and gives what it prints. */
    async admin(...argv: string[]): Promise<string> {
      const words = [2, 1].find((count) => named(argv.slice(0, count)) !== undefined)!
      const command = named(argv.slice(0, words))!
      let output = ''
      const context: AdminContext = {
        db,
        kv,
        now: () => Date.now(),
        print: (line) => (output += `${line}\n`),
        warn: () => {},
        remote: false,
        stateDir,
      }
      await command.run(argv.slice(words), context)
      return output
    },
    [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose](),
  }
}
