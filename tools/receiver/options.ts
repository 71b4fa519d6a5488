import { readArguments, readWhole, UsageError } from '../harness/arguments.ts'
import type { Reply } from '../harness/receiver.ts'

export interface ReceiverOptions {
  name: string
  port: number
  stateDir: string
  secrets: string[]
  reply: Reply | null
}

export const USAGE = `npm run receiver -- [options]

  --name hooks.example.com   the host name of its certificate
  --port 9443                where it listens, on 127.0.0.1 (0: any free port)
  --state .state-receiver    the folder that keeps its test authority
  --secret HEX               a webhook's secret, to verify signatures with (repeatable);
                             secrets typed while it runs count too
  --status 500               answers every delivery with this status
  --hang                     never answers
  --drip                     answers 200 and drips a body for ever
  --redirect URL             answers 302 to an address`

const SECRET = /^[0-9a-f]{64}$/

export function readOptions(args: readonly string[]): ReceiverOptions {
  const { values } = readArguments(args, {
    name: { type: 'string', default: 'hooks.example.com' },
    port: { type: 'string', default: '9443' },
    state: { type: 'string', default: '.state-receiver' },
    secret: { type: 'string', multiple: true, default: [] },
    status: { type: 'string' },
    hang: { type: 'boolean', default: false },
    drip: { type: 'boolean', default: false },
    redirect: { type: 'string' },
  })
  if (!values.secret.every(isSecret))
    throw new UsageError('--secret needs 64 lower-case hex characters')

  return {
    name: values.name.toLowerCase(),
    port: readWhole('--port', values.port, 0, 65_535),
    stateDir: values.state,
    secrets: values.secret,
    reply: replyOf(values),
  }
}

export function isSecret(text: string): boolean {
  return SECRET.test(text)
}

function replyOf({
  status,
  hang,
  drip,
  redirect,
}: {
  status?: string
  hang: boolean
  drip: boolean
  redirect?: string
}): Reply | null {
  const replies: Reply[] = [
    ...(status !== undefined
      ? [{ kind: 'status' as const, status: readWhole('--status', status, 200, 599) }]
      : []),
    ...(hang ? [{ kind: 'hang' as const }] : []),
    ...(drip ? [{ kind: 'drip' as const }] : []),
    ...(redirect !== undefined ? [{ kind: 'redirect' as const, location: redirect }] : []),
  ]
  if (replies.length > 1) throw new UsageError('one fault at a time')
  return replies[0] ?? null
}
