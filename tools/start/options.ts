import { isIP } from 'node:net'
import { CONFIG_NAMES } from '../config/check-config.ts'
import { readArguments, readVar, readWhole, UsageError } from '../harness/arguments.ts'

export interface StartOptions {
  /** The address that it listens on. */
  host: string
  port: number
  stateDir: string
  everySeconds: number
  demo: boolean
  seed: number
  upstream: string | null
  backfill: boolean
  receivers: Record<string, string>
  /** The mail server's URL; null: links of sign-in are printed, notices are kept unsent. */
  mailTransport: string | null
  vars: Record<string, string>
}

/** Where the service answers, unless told otherwise. */
export const PORT = 8787

export const USAGE = `npm start -- [options]

  --port ${PORT}                     where it answers (0: any free port)
  --host 127.0.0.1                the address that it listens on
  --state .state                  the folder that keeps its data
  --every 300                     seconds from one cycle to the next
  --demo                          a simulated market instead of the real sources
  --seed 1                        the market's seed
  --no-backfill                   leaves a new state without history
  --upstream URL                  asks URL/HOST/PATH?QUERY for https://HOST/PATH?QUERY
  --receiver NAME=127.0.0.1:PORT  where deliveries to https://NAME/… connect (repeatable)
  --var NAME=VALUE                a configuration variable or a secret (repeatable); also
                                  MAIL_TRANSPORT=smtp://USER:PASSWORD@HOST:PORT, with MAIL_FROM
  --env                           takes those that the environment has, too`

const OPTIONS = {
  port: { type: 'string', default: String(PORT) },
  host: { type: 'string', default: '127.0.0.1' },
  env: { type: 'boolean', default: false },
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

  const given = Object.fromEntries(values.var.map(readVar))
  const { MAIL_TRANSPORT, ...vars } = { ...(values.env ? environmentVars() : {}), ...given }
  return {
    host: listeningAddress(values.host),
    port: readWhole('--port', values.port, 0, 65_535),
    stateDir: nonEmpty('--state', values.state),
    everySeconds: readWhole('--every', values.every, 1, 86_400),
    demo: values.demo,
    seed: readWhole('--seed', values.seed, 0, 2 ** 31),
    upstream: values.upstream === undefined ? null : upstreamUrl(values.upstream),
    backfill: !values['no-backfill'],
    receivers: Object.fromEntries(values.receiver.map(receiver)),
    mailTransport: mailTransport(MAIL_TRANSPORT, vars['MAIL_FROM']),
    vars,
  }
}

/** Configuration variables and secrets of the environment; an empty one counts as absent. */
function environmentVars(): Record<string, string> {
  return Object.fromEntries(
    [...CONFIG_NAMES, 'MAIL_TRANSPORT'].flatMap((name) => {
      const value = process.env[name]
      return value ? [[name, value]] : []
    }),
  )
}

function listeningAddress(text: string): string {
  if (isIP(text) === 0) throw new UsageError('--host needs an IP address')
  return text
}

function mailTransport(text: string | undefined, sender: string | undefined): string | null {
  if (text === undefined) return null
  const url = URL.parse(text)
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '')
    throw new UsageError('MAIL_TRANSPORT must be an smtp or smtps URL')
  if (!sender) throw new UsageError('MAIL_TRANSPORT needs MAIL_FROM, the sender')
  return text
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
