import { parseArgs } from 'node:util'

export interface StartOptions {
  port: number
  stateDir: string
  everySeconds: number
  demo: boolean
  seed: number
  upstream: string | null
  /** Loopback ports of receivers, by host name. */
  receivers: Record<string, string>
  /** Configuration variables and secrets of this run. */
  vars: Record<string, string>
}

/** Bad command line: the text is for the operator. */
export class UsageError extends Error {}

export const USAGE = `npm start -- [options]

  --port 8787                     where it answers, on 127.0.0.1 (0: any free port)
  --state .state                  the folder that keeps its data
  --every 300                     seconds from one cycle to the next
  --demo                          a simulated market instead of the real sources
  --seed 1                        the market's seed
  --upstream URL                  asks URL/HOST/PATH?QUERY for https://HOST/PATH?QUERY
  --receiver NAME=127.0.0.1:PORT  where deliveries to https://NAME/… connect (repeatable)
  --var NAME=VALUE                a configuration variable or a secret (repeatable)`

export function readOptions(argv: string[]): StartOptions | 'help' {
  const values = parse(argv)
  if (values.help) return 'help'
  if (values.demo && values.upstream !== undefined)
    throw new UsageError('--demo and --upstream exclude each other')

  return {
    port: whole('--port', values.port, 0, 65_535),
    stateDir: nonEmpty('--state', values.state),
    everySeconds: whole('--every', values.every, 1, 86_400),
    demo: values.demo,
    seed: whole('--seed', values.seed, 0, 2 ** 31),
    upstream: values.upstream === undefined ? null : upstreamUrl(values.upstream),
    receivers: Object.fromEntries(values.receiver.map(receiver)),
    vars: Object.fromEntries(values.var.map(variable)),
  }
}

function parse(argv: string[]) {
  try {
    return parseArgs({
      args: argv,
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        port: { type: 'string', default: '8787' },
        state: { type: 'string', default: '.state' },
        every: { type: 'string', default: '300' },
        demo: { type: 'boolean', default: false },
        seed: { type: 'string', default: '1' },
        upstream: { type: 'string' },
        receiver: { type: 'string', multiple: true, default: [] },
        var: { type: 'string', multiple: true, default: [] },
      },
    }).values
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function whole(name: string, text: string, least: number, most: number): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < least || value > most)
    throw new UsageError(`${name} must be a whole number from ${least} to ${most}`)
  return value
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

function variable(text: string): [string, string] {
  const [, name, value] = /^([A-Z][A-Z0-9_]*)=([\s\S]*)$/.exec(text) ?? []
  if (name === undefined || value === undefined) throw new UsageError('--var needs NAME=VALUE')
  return [name, value]
}
