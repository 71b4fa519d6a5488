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

/**
 * Reads the command line. `--state DIR`, `--remote` and `--suffix WORD` may stand anywhere before
 * `--`. All other arguments belong to the command.
 */
export function readInvocation(argv: string[], commands: readonly AdminCommand[]): Invocation {
  const words: string[] = []
  let help = false
  let remote = false
  let suffix = ''
  let stateDir: string | null = null

  for (let index = 0; index < argv.length; index++) {
    const word = argv[index]!
    if (word === '--') {
      words.push(...argv.slice(index + 1))
      break
    }
    if (word === '--help' || word === '-h') help = true
    else if (word === '--remote') remote = true
    else if (word === '--suffix') suffix = argv[++index] ?? ''
    else if (word === '--state' || word.startsWith('--state='))
      stateDir = word === '--state' ? (argv[++index] ?? '') : word.slice('--state='.length)
    else words.push(word)
  }
  if (stateDir === '') throw new AdminError('--state needs a folder')
  if (remote && stateDir !== null) throw new AdminError('--state and --remote exclude each other')
  if (suffix && !remote) throw new AdminError('--suffix goes with --remote')

  const command = findCommand(words, commands)
  if (!command && words.length > 0 && words[0] !== 'help')
    throw new AdminError(`unknown command '${words.slice(0, 2).join(' ')}': see --help`)
  if (help || !command) return { kind: 'help', command }

  const args = words.slice(command.name.split(' ').length)
  return { kind: 'run', command, args, remote, suffix, stateDir: stateDir ?? DEFAULT_STATE_DIR }
}

/** The command with the longest name that the words start with. */
function findCommand(words: string[], commands: readonly AdminCommand[]): AdminCommand | null {
  return (
    [...commands]
      .toSorted((a, b) => b.name.length - a.name.length)
      .find(({ name }) => name.split(' ').every((word, index) => words[index] === word)) ?? null
  )
}

export function helpOfAll(commands: readonly AdminCommand[]): string {
  const heads = commands.map(head)
  const width = Math.max(0, ...heads.map((text) => text.length))

  return [
    'npm run admin -- COMMAND [--state DIR | --remote]',
    '',
    ...commands.map((command, index) => `  ${heads[index]!.padEnd(width)}  ${command.summary}`),
    '',
    '  --state DIR  the folder of the local state (default .state); a service may be running on it',
    '  --remote     the deployed service; with --suffix staging the one of that name',
    '  --help       this text, or that of one command',
  ].join('\n')
}

export function helpOfOne(command: AdminCommand): string {
  const parts = [`npm run admin -- ${head(command)} [--state DIR | --remote]`, '', command.summary]
  if (command.details) parts.push('', command.details)
  return parts.join('\n')
}

function head({ name, usage }: AdminCommand): string {
  return `${name} ${usage}`.trimEnd()
}
