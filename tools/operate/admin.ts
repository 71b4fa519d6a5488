/** `npm run admin -- COMMAND`: the operator's commands, with or without a running local service. */
import { Option } from '@commander-js/extra-typings'
import { CommandError, folder, runCommand, UsageError } from '../support/arguments.ts'
import type { AdminContext } from './admin/command.ts'
import { adminProgram } from './admin/commands.ts'
import { openLocal, type Storage } from './admin/open-local.ts'
import { openRemote } from './admin/open-remote.ts'
import { databaseFile } from './local/storage.ts'

let storage: Storage | undefined

const program = adminProgram(open)
const options = program
  .addOption(
    new Option('--state <DIR>', 'the local state; a service may be running on it')
      .argParser(folder('--state'))
      .default('.state'),
  )
  .addOption(new Option('--remote', 'the deployed service').conflicts('state'))
  .option('--suffix <WORD>', 'with --remote, the deployment with this suffix: staging', '')
  .helpCommand(false)
await runCommand(program).finally(() => storage?.[Symbol.asyncDispose]())

async function open(command: string): Promise<AdminContext> {
  const { state: stateDir, remote = false, suffix } = options.opts()
  if (suffix && !remote) throw new UsageError('--suffix goes with --remote')

  if (!remote && !command.startsWith('import') && databaseFile(stateDir) === null)
    throw new CommandError(`there is no state in ${stateDir}: npm start or admin import makes one`)
  storage = remote ? openRemote(suffix && `-${suffix}`) : await openLocal(stateDir, warn)
  return {
    db: storage.db,
    kv: storage.kv,
    now: Date.now,
    print: (line) => console.log(line),
    warn,
    remote,
    stateDir,
  }
}

/** Prints a line about progress to standard error. */
function warn(line: string): void {
  console.error(line)
}
