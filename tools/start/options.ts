import { readArguments, readVar, readWhole, UsageError } from '../harness/arguments.ts'

export interface StartOptions {
  port: number
  stateDir: string
  everySeconds: number
  demo: boolean
  seed: number
  upstream: string | null
  backfill: boolean
  receivers: Record<string, string>
  vars: Record<string, string>
}

export const USAGE = `npm start -- [options]

  --port 8787                     where it answers, on 127.0.0.1 (0: any free port)
  --state .state                  the folder that keeps its data
  --every 300                     seconds from one cycle to the next
  --demo                          a simulated market instead of the real sources
  --seed 1                        the market's seed
  --no-backfill                   leaves a new state without history
  --upstream URL                  asks URL/HOST/PATH?QUERY for https://HOST/PATH?QUERY
  --receiver NAME=127.0.0.1:PORT  where deliveries to https://NAME/… connect (repeatable)
  --var NAME=VALUE                a configuration variable or a secret (repeatable)`

const OPTIONS = {
  port: { type: 'string', default: '8787' },
  state: { type: 'string', default: '.state' },
  every: { type: 'string', default: '300' },
  demo: { type: 'boolean', default: false },
  seed: { type: 'string', default: '1' },
  'no-backfill': { type: 'boolean', default: false },
  upstream: { type: 'string' },
  receiver: { type: 'string', multiple: true, default: [] as string[] },
  var: { type: 'string', multiple: true, default: [] as string[] },
} as const

export function readOptions(args: readonly string[]): StartOptions {
  const { values } = readArguments(args, OPTIONS)
  if (values.demo && values.upstream !== undefined)
    throw new UsageError('--demo and --upstream exclude each other')

  return {
    port: readWhole('--port', values.port, 0, 65_535),
    stateDir: nonEmpty('--state', values.state),
    everySeconds: readWhole('--every', values.every, 1, 86_400),
    demo: values.demo,
    seed: readWhole('--seed', values.seed, 0, 2 ** 31),
    upstream: values.upstream === undefined ? null : upstreamUrl(values.upstream),
    backfill: !values['no-backfill'],
    receivers: Object.fromEntries(values.receiver.map(receiver)),
    vars: Object.fromEntries(values.var.map(readVar)),
  }
}

function nonEmpty(name: string, text: string): string {
  if (text === '') throw new UsageError(`${name} needs a folder`)
  return text
}

function upstreamUrl(text: string): string {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash)
    throw new UsageError('--upstream needs an http or https URL without query')
  return text
}

/** Loopback only: a receiver of the local start is on this machine. */
function receiver(text: string): [string, string] {
  const [, name, address, port] =
    /^([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)=(127(?:\.\d{1,3}){3}):(\d{1,5})$/i.exec(text) ?? []
  if (!name || Number(port) < 1 || Number(port) > 65_535)
    throw new UsageError('--receiver needs NAME=127.0.0.1:PORT')
  return [name.toLowerCase(), `${address}:${port}`]
}
