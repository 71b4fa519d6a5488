import type { AdminCommand } from './command.ts'

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
