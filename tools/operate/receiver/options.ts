import { Command } from '@commander-js/extra-typings'
import { each, UsageError, whole } from '../../support/arguments.ts'
import type { Reply } from '../../support/receiver.ts'

export const command = new Command('npm run receiver --')
  .option('--name <HOST>', 'the host name of its certificate', 'hooks.example.com')
  .addOption(
    whole('--port <N>', 'where it listens, on 127.0.0.1; 0: any free port', 0, 65_535).default(
      9443,
    ),
  )
  .option('--state <DIR>', 'the folder that keeps its test authority', '.state-receiver')
  .option(
    '--secret <HEX>',
    "a webhook's secret, to verify signatures with (repeatable); secrets typed while it runs count too",
    each(secret),
    [],
  )
  .addOption(whole('--status <N>', 'answers every delivery with this status', 200, 599))
  .option('--hang', 'never answers')
  .option('--drip', 'answers 200 and drips a body for ever')
  .option('--redirect <URL>', 'answers 302 to an address')

export function optionsOf(values: ReturnType<typeof command.opts>) {
  const { status, hang, drip, redirect, ...rest } = values
  const replies: Reply[] = [
    ...(status === undefined ? [] : [{ kind: 'status' as const, status }]),
    ...(hang ? [{ kind: 'hang' as const }] : []),
    ...(drip ? [{ kind: 'drip' as const }] : []),
    ...(redirect === undefined ? [] : [{ kind: 'redirect' as const, location: redirect }]),
  ]
  if (replies.length > 1) throw new UsageError('one fault at a time')
  return { ...rest, name: rest.name.toLowerCase(), reply: replies[0] }
}

export function isSecret(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

function secret(text: string): string {
  if (isSecret(text)) return text
  throw new UsageError('--secret needs 64 lower-case hex characters')
}
