/**
 * The configuration: each variable and secret has one parser with its default. `npm start`,
 * `npm run deploy` and the Workers all call it. A parser takes the configured text, undefined when
 * absent, and throws a `ConfigError` with one sentence, which never contains a secret.
 */
import { fromBase64 } from '../encoding.ts'

/** A variable or secret with a wrong value. The message is for operators and contains no secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Seconds to wait after the first, the second and the third attempt. */
export type Waits = readonly [number, number, number]

type Text = string | undefined
type Parser<Value> = (text: Text, name: string) => Value

const KEY_BYTES_MIN = 32

const oneWord = optional(form(/^[\x21-\x7e]+$/, 'be text without spaces'))
const threeNumbers = form(
  /^\s*[1-9]\d{0,5}\s*(,\s*[1-9]\d{0,5}\s*){2}$/,
  'be three whole numbers of seconds from 1 to 999999, as in 30,300,1800',
)
const waits: Parser<Waits> = (text, name) => {
  const [first, second, third] = threeNumbers(text, name).split(',').map(Number)
  return [first!, second!, third!]
}

export const PARSERS = {
  WEBHOOK_ADMISSION: orElse('closed', oneOf('closed', 'open')),
  DELIVERY_WAITS: orElse('30,300,1800', waits),
  /** At most this many accepted deliveries may be unfinished. */
  DELIVERY_CAPACITY: orElse('20000', wholeNumber(1_000_000_000)),
  /** Accepted private requests per UTC day. */
  DAILY_PRIVATE_BUDGET: orElse('20000', wholeNumber(1_000_000_000)),
  /** Date reads per client in ten seconds. */
  DATE_READ_LIMIT: orElse('20', wholeNumber(100_000)),
  /** Requests to the MCP endpoint per client in ten seconds. */
  MCP_REQUEST_LIMIT: orElse('60', wholeNumber(100_000)),
  /** Look-ups of unknown keys per client in a minute. */
  UNKNOWN_KEY_LIMIT: orElse('30', wholeNumber(100_000)),
  /** The header in which the proxy in front of us puts the client's address. */
  CLIENT_ADDRESS_HEADER: orElse(
    'CF-Connecting-IP',
    form(
      /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/,
      'be the name of an HTTP header, such as CF-Connecting-IP',
    ),
  ),
  /** The tax on card purchases in dollars as a fraction: `0.30` is 30 %. */
  TARJETA_RATE: orElse(
    '0.30',
    form(/^([01](\.\d{1,4})?|2(\.0{1,4})?)$/, 'be a fraction such as 0.30, from 0 to 2'),
  ),
  /** Only `https`: whoever can forge the resolver's answers decides where deliveries go. */
  DNS_OVER_HTTPS_URL: orElse('https://cloudflare-dns.com/dns-query', httpsUrl),
  /** Sender of e-mails: an address, or `Name <address>`. Undefined: no e-mail is sent. */
  MAIL_FROM: optional(
    form(
      /^([^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
      'be an e-mail address, alone or as Name <address>',
    ),
  ),
  /** Whether the compatibility addresses answer (workers/edge/compatibility). */
  COMPATIBILITY: orElse('off', oneOf('on', 'off')),
  KEY_ENCRYPTION_KEYS: encryptionKeys,
  /** Signs the sessions of the account area. */
  SESSION_SECRET: form(/^[\s\S]{32,}$/, 'have at least 32 characters'),
  /** Where the service's owner gets every change (decision 35); undefined when not configured. */
  SYSTEM_WEBHOOK_URL: optional(httpsUrl),
  GITHUB_CLIENT_ID: oneWord,
  GITHUB_CLIENT_SECRET: oneWord,
} satisfies Record<string, Parser<unknown>>

type SettingName = keyof typeof PARSERS
type Settings = { [Name in SettingName]: ReturnType<(typeof PARSERS)[Name]> }

/** The value of a variable or secret of an environment. */
export function setting<Name extends SettingName>(
  env: { readonly [Each in Name]?: Text },
  name: Name,
): Settings[Name] {
  return PARSERS[name](env[name], name) as Settings[Name]
}

/**
 * Parses `USD/BLUE,USD/BNA` and looks up each pair with `find`. Undefined means every pair. An
 * error names a wrong pair by its position, because the text is a secret.
 */
export function parseSystemPairs<Pair>(
  text: Text,
  find: (key: string) => Pair | undefined,
): readonly Pair[] | undefined {
  const name = 'SYSTEM_WEBHOOK_PAIRS'
  return optional(required)(text, name)
    ?.split(',')
    .map((key, index) => {
      const pair = find(key.trim())
      if (pair === undefined)
        throw new ConfigError(
          `${name} must be pairs such as USD/BLUE,USD/BNA, and number ${index + 1} is none`,
        )
      return pair
    })
}

export function required(text: Text, name: string): string {
  if (text === undefined) throw new ConfigError(`${name} is missing`)
  // A number or boolean in TOML reaches a Worker unchanged.
  if (typeof text !== 'string') throw new ConfigError(`${name} must be a text, in quotes`)
  return text
}

/** An empty text counts as absent. */
function optional<Value>(parse: Parser<Value>): Parser<Value | undefined> {
  return (text, name) => (required(text ?? '', name) === '' ? undefined : parse(text, name))
}

function orElse<Value>(absent: string, parse: Parser<Value>): Parser<Value> {
  return (text, name) => parse(text ?? absent, name)
}

/** A text that matches the pattern; `rule` says what the text must be. */
function form(pattern: RegExp, rule: string): Parser<string> {
  return (text, name) => {
    const given = required(text, name)
    if (!pattern.test(given)) throw new ConfigError(`${name} must ${rule}`)
    return given
  }
}

function oneOf<Choice extends string>(...choices: Choice[]): Parser<Choice> {
  const parse = form(new RegExp(`^(${choices.join('|')})$`), `be ${choices.join(' or ')}`)
  return (text, name) => parse(text, name) as Choice
}

function wholeNumber(most: number): Parser<number> {
  return (text, name) => {
    const given = required(text, name)
    if (!/^[1-9]\d{0,14}$/.test(given) || Number(given) > most)
      throw new ConfigError(`${name} must be a whole number from 1 to ${most}, in digits alone`)
    return Number(given)
  }
}

function httpsUrl(text: Text, name: string): string {
  const given = required(text, name)
  const url = URL.parse(given)
  if (url?.protocol !== 'https:' || url.username || url.password || url.hash)
    throw new ConfigError(`${name} must be an https URL without user or fragment`)
  return given
}

/** `kid:base64,…`: secrets of at least 32 bytes, in base64 or base64url. The first encrypts. */
function encryptionKeys(text: Text, name: string): ReadonlyMap<string, Uint8Array<ArrayBuffer>> {
  const entries = required(text, name)
    .split(',')
    .map((entry) => {
      const [, kid, encoded] = /^([\w-]{1,32}):([\w+/-]+={0,2})$/.exec(entry.trim()) ?? []
      const secret = fromBase64(encoded ?? '')
      if (!kid || !secret || secret.length < KEY_BYTES_MIN)
        throw new ConfigError(
          `${name} must be kid:base64 of at least 32 bytes, several separated by commas, each kid of at most 32 letters or digits`,
        )
      return [kid, secret] as const
    })
  const keys = new Map(entries)
  if (keys.size < entries.length) throw new ConfigError(`${name} names a key twice`)
  return keys
}

/** The variables of every Worker. The parser of an absent variable returns its default. */
export type Variables = {
  [Name in Exclude<SettingName, keyof Secrets> | 'PUBLIC_ORIGIN']?: string
}

/**
 * The secrets. The types generated from wrangler.toml have neither variables nor secrets, so the
 * environment of a Worker is `EdgeEnv & Variables & Secrets`.
 */
export interface Secrets {
  /** `kid:base64,…`, each at least 32 bytes. The first one seals, all of them open. */
  KEY_ENCRYPTION_KEYS: string
  /** Signs the sessions of the account area. */
  SESSION_SECRET: string
  /** The owner's own destination of deliveries. Optional. */
  SYSTEM_WEBHOOK_URL?: string
  /** `USD/BLUE,USD/BNA`. When absent, every pair. */
  SYSTEM_WEBHOOK_PAIRS?: string
  GITHUB_CLIENT_ID?: string
  GITHUB_CLIENT_SECRET?: string
}
