import type { AdminContext } from '../../tools/operate/admin/command.ts'
import { readInvocation } from '../../tools/operate/admin/arguments.ts'
import { commands } from '../../tools/operate/admin/commands.ts'
import { openLocal } from '../../tools/operate/admin/open-local.ts'

/** An operator's commands on the data of one state folder, without a process for each. */
export async function openOperator(stateDir: string) {
  const { db, kv, ...storage } = await openLocal(stateDir)
  return {
    db,
    /** Does one, and gives what it prints. */
    async admin(...argv: string[]): Promise<string> {
      const invocation = readInvocation(argv, commands)
      if (invocation.kind === 'help') throw new Error('no command')
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
      await invocation.command.run(invocation.args, context)
      return output
    },
    [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose](),
  }
}
