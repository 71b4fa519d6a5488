/** `npm run admin -- COMMAND`: the operator's commands, beside a running local service or not. */
import { Command, Option } from '@commander-js/extra-typings'
import { CommandError, folder, runCommand, UsageError } from '../support/arguments.ts'
import { type AdminCommand, describeFailure } from './admin/command.ts'
import { commands } from './admin/commands.ts'
import { openLocal } from './admin/open-local.ts'
import { openRemote } from './admin/open-remote.ts'

const print = (line: string) => console.log(line)
const warn = (line: string) => console.error(line)

const program = new Command('npm run admin --')
  .addOption(
    new Option('--state <DIR>', 'the local state; a service may be running on it')
      .argParser(folder('--state'))
      .default('.state'),
  )
  .addOption(new Option('--remote', 'the deployed service').conflicts('state'))
  .option('--suffix <WORD>', 'with --remote, the deployment of that name: staging', '')
  .helpCommand(false)
for (const one of commands)
  program.addCommand(
    one.command.action(() =>
      run(one).catch((error: unknown) => {
        const isClear = error instanceof CommandError || error instanceof UsageError
        throw isClear ? error : new CommandError(describeFailure(error))
      }),
    ),
  )
await runCommand(program, withName(process.argv))

/** The words of a command's name as one, `account create`, which is how commander knows it. */
function withName(argv: readonly string[]): string[] {
  const names = commands.map(({ name }) => name)
  const at = argv.findIndex((word, index) => names.includes(`${word} ${argv[index + 1]}`))
  return at === -1 ? [...argv] : argv.toSpliced(at, 2, `${argv[at]} ${argv[at + 1]}`)
}

async function run(command: AdminCommand): Promise<void> {
  const { state: stateDir, remote = false, suffix } = program.opts()
  if (suffix && !remote) throw new UsageError('--suffix goes with --remote')

  await using storage = remote ? openRemote(suffix && `-${suffix}`) : await openLocal(stateDir)
  const { db, kv } = storage
  await command.runParsed({ db, kv, now: Date.now, print, warn, remote, stateDir })
}
