import { Command } from '@commander-js/extra-typings'
import { isIP } from 'node:net'
import type { Endpoint } from './egress.ts'
import { CONFIG_NAMES } from '../check-config.ts'
import { each, folder, readVar, UsageError, whole } from '../../support/arguments.ts'

export type StartOptions = ReturnType<typeof optionsOf>

export const command = new Command('npm start --')
  .addOption(
    whole('--port <N>', 'the port to listen on; 0: any free port', 0, 65_535).default(8787),
  )
  .option('--host <ADDRESS>', 'the address to listen on (127.0.0.1)', listeningAddress)
  .option('--state <DIR>', 'the folder for its data', folder('--state'), '.state')
  .addOption(whole('--every <SECONDS>', 'the time between two cycles', 1, 86_400).default(300))
  .option('--demo', 'a simulated market instead of the real sources', false)
  .option('--no-backfill', 'starts a new state without history')
  .option(
    '--upstream <URL>',
    'requests URL/HOST/PATH?QUERY instead of https://HOST/PATH?QUERY',
    upstreamUrl,
  )
  .option(
    '--receiver <NAME=127.0.0.1:PORT>',
    'sends deliveries for https://NAME/… to this address (repeatable)',
    each(receiver),
    [],
  )
  .option(
    '--var <NAME=VALUE>',
    'a configuration variable or a secret (repeatable); also ' +
      'MAIL_TRANSPORT=smtp://USER:PASSWORD@HOST:PORT, with MAIL_FROM',
    each(readVar),
    [],
  )
  .option('--env', 'also reads variables and secrets from the environment')

export function optionsOf(values: ReturnType<typeof command.opts>) {
  const { host = '127.0.0.1', port, demo, backfill, upstream = null } = values
  if (demo && upstream !== null) throw new UsageError('--demo and --upstream exclude each other')

  const given = Object.fromEntries(values.var)
  const { MAIL_TRANSPORT, ...vars } = { ...(values.env ? environmentVars() : {}), ...given }
  return {
    host,
    port,
    stateDir: values.state,
    /** Whether this looks like a first try. Operators give `--host`, `--env` or `--var`. */
    isPlain: values.host === undefined && !values.env && values.var.length === 0,
    everySeconds: values.every,
    demo,
    upstream,
    backfill,
    receivers: Object.fromEntries(values.receiver),
    /** The mail server's URL. When null, sign-in links are printed and notices stay unsent. */
    mailTransport: mailTransport(MAIL_TRANSPORT, vars['MAIL_FROM']),
    vars,
  }
}

/** Configuration variables and secrets of the environment. An empty value counts as absent. */
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

function upstreamUrl(text: string): string {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash)
    throw new UsageError('--upstream needs an http or https URL without query')
  return text
}

/** Accepts only loopback addresses: a receiver of a local start runs on this machine. */
function receiver(text: string): [string, Endpoint] {
  const [, name, address, port] =
    /^([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)=(127(?:\.\d{1,3}){3}):(\d{1,5})$/i.exec(text) ?? []
  if (!name || Number(port) < 1 || Number(port) > 65_535)
    throw new UsageError('--receiver needs NAME=127.0.0.1:PORT')
  return [name.toLowerCase(), { address: address!, port: Number(port) }]
}
