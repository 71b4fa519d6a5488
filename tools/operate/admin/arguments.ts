import { Command } from '@commander-js/extra-typings'
import { parsing } from '../../support/arguments.ts'
import { type AdminCommand, AdminError } from './command.ts'

type Invocation =
  | { kind: 'help'; command: AdminCommand | null }
  | {
      kind: 'run'
      command: AdminCommand
      args: string[]
      remote: boolean
      suffix: string
      stateDir: string
    }

const DEFAULT_STATE_DIR = '.state'

function program() {
  return new Command('npm run admin --')
    .option(
      '--state <DIR>',
      `the local state (${DEFAULT_STATE_DIR}); a service may be running on it`,
    )
    .option('--remote', 'the deployed service')
    .option('--suffix <WORD>', 'with --remote, the deployment of that name: staging', '')
}

/**
 * Reads the command line. `--state DIR`, `--remote` and `--suffix WORD` may stand anywhere before
 * `--`. All other arguments belong to the command.
 */
export function readInvocation(
  argv: readonly string[],
  commands: readonly AdminCommand[],
): Invocation {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  const all = program()
  const { operands, unknown } = parsing(all, () => all.parseOptions(argv.slice(0, end)))
  const { state, remote = false, suffix } = all.opts()
  const words = [...operands, ...unknown].filter((word) => !HELP.includes(word))
  const help = words.length < operands.length + unknown.length
  if (state === '') throw new AdminError('--state needs a folder')
  if (remote && state !== undefined) throw new AdminError('--state and --remote exclude each other')
  if (suffix && !remote) throw new AdminError('--suffix goes with --remote')

  const command = findCommand(words, commands)
  if (!command && words.length > 0 && words[0] !== 'help')
    throw new AdminError(`unknown command '${words.slice(0, 2).join(' ')}': see --help`)
  if (help || !command) return { kind: 'help', command }

  const args = [...words.slice(command.name.split(' ').length), ...argv.slice(end)]
  return { kind: 'run', command, args, remote, suffix, stateDir: state ?? DEFAULT_STATE_DIR }
}

const HELP: readonly string[] = ['--help', '-h']

/** The command with the longest name that the words start with. */
function findCommand(
  words: readonly string[],
  commands: readonly AdminCommand[],
): AdminCommand | null {
  return (
    commands
      .toSorted((a, b) => b.name.length - a.name.length)
      .find(({ name }) => name.split(' ').every((word, index) => words[index] === word)) ?? null
  )
}

/** The help of one command, or of all. */
export function helpOf(one: AdminCommand | null, commands: readonly AdminCommand[]): string {
  const all = program().helpCommand(false)
  for (const { command } of commands) all.addCommand(command)
  return (one?.command ?? all).helpInformation()
}
