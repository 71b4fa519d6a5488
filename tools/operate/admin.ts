/** `npm run admin -- COMMAND`: the operator's commands, beside a running local service or not. */
import { helpOf, readInvocation } from './admin/arguments.ts'
import { CommandError, UsageError } from '../support/arguments.ts'
import { commands } from './admin/commands.ts'
import { describeFailure } from './admin/describe-failure.ts'
import { openLocal } from './admin/open-local.ts'
import { openRemote } from './admin/open-remote.ts'
import { createControl, findRunning } from './local/running.ts'

try {
  await main(process.argv.slice(2))
} catch (error) {
  const isClear = error instanceof CommandError || error instanceof UsageError
  console.error(`error: ${isClear ? error.message : describeFailure(error)}`)
  process.exitCode = 1
}

async function main(argv: string[]): Promise<void> {
  const invocation = readInvocation(argv, commands)
  if (invocation.kind === 'help') {
    return console.log(helpOf(invocation.command, commands))
  }

  const { command, args, remote, suffix, stateDir } = invocation
  if (command.on === 'service') return command.run(args, { print, stateDir })

  await using storage = remote ? openRemote(suffix && `-${suffix}`) : await openLocal(stateDir)
  await command.run(args, {
    db: storage.db,
    kv: storage.kv,
    now: () => Date.now(),
    print,
    warn: (line) => console.error(line),
    remote,
    stateDir,
  })
  if (!remote) await askForSweep(stateDir)
}

function print(line: string): void {
  console.log(line)
}

/**
 * The running service looks at once at what a command made: deliveries, e-mails, room for others.
 * No command fails when it cannot be asked, for its sweep of the next minute comes.
 */
async function askForSweep(stateDir: string): Promise<void> {
  const running = await findRunning(stateDir)
  if (running)
    await createControl(running)
      .askForSweep()
      .catch(() => {})
}
