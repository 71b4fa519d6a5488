import { ConfigError } from './config-error.ts'

/**
 * The configuration: each variable and secret has one parser, which the start, the deployment's
 * check and the Workers call alike. A parser takes the text as it is configured, undefined when it
 * is absent, and throws a `ConfigError` of one sentence. Sentences never repeat a secret.
 */

export { ConfigError }

/** Seconds between the attempts: after the first, the second and the third. */
export type Waits = readonly [number, number, number]

type Text = string | undefined

const MOST_REQUESTS = 1_000_000_000
const MOST_DELIVERIES = 1_000_000_000
const MOST_DATE_READS = 100_000
const MOST_MCP_REQUESTS = 100_000
const MOST_UNKNOWN_KEYS = 100_000
const SECRET_CHARACTERS_MIN = 32
const KEY_BYTES_MIN = 32

export function parseAdmission(text: Text): 'closed' | 'open' {
  return oneOf('WEBHOOK_ADMISSION', text, ['closed', 'open'])
}

/** Whether the compatibility addresses answer (workers/edge/compatibility). */
export function parseCompatibility(text: Text): 'on' | 'off' {
  return oneOf('COMPATIBILITY', text ?? 'off', ['on', 'off'])
}

export function parseWaits(text: Text): Waits {
  const name = 'DELIVERY_WAITS'
  const waits = required(name, text)
    .split(',')
    .map((wait) => wait.trim())
  if (waits.length !== 3 || !waits.every((wait) => /^[1-9]\d{0,5}$/.test(wait)))
    throw new ConfigError(
      `${name} must be three whole numbers of seconds from 1 to 999999, as in 30,300,1800`,
    )

  return waits.map(Number) as unknown as Waits
}

/** The most deliveries that may be accepted and not finished. */
export function parseCapacity(text: Text): number {
  return wholeNumber('DELIVERY_CAPACITY', text, MOST_DELIVERIES)
}

/** Accepted private requests per UTC day. */
export function parseDailyBudget(text: Text): number {
  return wholeNumber('DAILY_PRIVATE_BUDGET', text, MOST_REQUESTS)
}

/** Date reads per client in ten seconds. */
export function parseDateReadLimit(text: Text): number {
  return wholeNumber('DATE_READ_LIMIT', text, MOST_DATE_READS)
}

/** Requests to the MCP endpoint per client in ten seconds. */
export function parseMcpRequestLimit(text: Text): number {
  return wholeNumber('MCP_REQUEST_LIMIT', text, MOST_MCP_REQUESTS)
}

/** Look-ups of unknown keys per client in a minute. */
export function parseUnknownKeyLimit(text: Text): number {
  return wholeNumber('UNKNOWN_KEY_LIMIT', text ?? '30', MOST_UNKNOWN_KEYS)
}

/** The header in which the proxy in front of us puts the client's address. */
export function parseClientAddressHeader(text: Text): string {
  const name = 'CLIENT_ADDRESS_HEADER'
  const header = required(name, text ?? 'CF-Connecting-IP')
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(header))
    throw new ConfigError(`${name} must be the name of an HTTP header, such as CF-Connecting-IP`)
  return header
}

/** The perception on card purchases as a fraction: `0.30` is 30 %. */
export function parseTarjetaRate(text: Text): string {
  const rate = required('TARJETA_RATE', text)
  if (!/^([01](\.\d{1,4})?|2(\.0{1,4})?)$/.test(rate))
    throw new ConfigError('TARJETA_RATE must be a fraction such as 0.30, from 0 to 2')
  return rate
}

/** `https` only: an attacker who can answer for the resolver can choose where deliveries go. */
export function parseResolverUrl(text: Text): string {
  return httpsUrl('DNS_OVER_HTTPS_URL', required('DNS_OVER_HTTPS_URL', text))
}

/** Sender of e-mails: an address, or `Name <address>`. Undefined: none is sent. */
export function parseMailFrom(text: Text): string | undefined {
  const sender = optional('MAIL_FROM', text)
  if (
    sender !== undefined &&
    !/^([^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(sender)
  )
    throw new ConfigError('MAIL_FROM must be an e-mail address, alone or as Name <address>')
  return sender
}

/**
 * `kid:base64,…` in either alphabet of base64: secrets of at least 32 bytes by their ids, of which
 * the first seals.
 */
export function parseEncryptionKeys(text: Text): ReadonlyMap<string, string> {
  const name = 'KEY_ENCRYPTION_KEYS'
  const entries = required(name, text)
    .split(',')
    .map((entry) => /^([\w-]{1,32}):([\w+/-]+={0,2})$/.exec(entry.trim()))
  if (!entries.every((entry) => entry && byteLength(entry[2]!) >= KEY_BYTES_MIN))
    throw new ConfigError(
      `${name} must be kid:base64 of at least 32 bytes, several separated by commas, each kid of at most 32 letters or digits`,
    )

  const keys = new Map(entries.map((entry) => [entry![1]!, entry![2]!]))
  if (keys.size < entries.length) throw new ConfigError(`${name} names a key twice`)
  return keys
}

/** Signs the sessions of the account area. */
export function parseSessionSecret(text: Text): string {
  const secret = required('SESSION_SECRET', text)
  if (secret.length < SECRET_CHARACTERS_MIN)
    throw new ConfigError('SESSION_SECRET must have at least 32 characters')
  return secret
}

/** The owner's own destination; undefined when there is none. */
export function parseSystemUrl(text: Text): string | undefined {
  const url = optional('SYSTEM_WEBHOOK_URL', text)
  return url === undefined ? undefined : httpsUrl('SYSTEM_WEBHOOK_URL', url)
}

/**
 * `USD/BLUE,USD/BNA`, each as `find` finds it in the catalogue; undefined stands for every pair. An
 * error names the wrong one by its place, because the text is a secret.
 */
export function parseSystemPairs<Pair>(
  text: Text,
  find: (key: string) => Pair | undefined,
): readonly Pair[] | undefined {
  const name = 'SYSTEM_WEBHOOK_PAIRS'
  return optional(name, text)
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

export function parseGithubId(text: Text): string | undefined {
  return oneWord('GITHUB_CLIENT_ID', text)
}

export function parseGithubSecret(text: Text): string | undefined {
  return oneWord('GITHUB_CLIENT_SECRET', text)
}

export function required(name: string, text: Text): string {
  if (text === undefined) throw new ConfigError(`${name} is missing`)
  // TOML has numbers and booleans as well, which reach a Worker as such.
  if (typeof text !== 'string') throw new ConfigError(`${name} must be a text, in quotes`)
  return text
}

/** Empty counts as absent, so that wrangler.toml can list a variable without setting it. */
function optional(name: string, text: Text): string | undefined {
  return required(name, text ?? '') || undefined
}

function oneOf<Choice extends string>(name: string, text: Text, choices: Choice[]): Choice {
  const given = required(name, text)
  const choice = choices.find((choice) => choice === given)
  if (!choice) throw new ConfigError(`${name} must be ${choices.join(' or ')}`)
  return choice
}

function wholeNumber(name: string, text: Text, most: number): number {
  const given = required(name, text)
  if (!/^[1-9]\d{0,14}$/.test(given) || Number(given) > most)
    throw new ConfigError(`${name} must be a whole number from 1 to ${most}, in digits alone`)
  return Number(given)
}

function httpsUrl(name: string, text: string): string {
  const url = URL.parse(text)
  if (url?.protocol !== 'https:' || url.username || url.password || url.hash)
    throw new ConfigError(`${name} must be an https URL without user or fragment`)
  return text
}

function oneWord(name: string, text: Text): string | undefined {
  const word = optional(name, text)
  if (word !== undefined && !/^[\x21-\x7e]+$/.test(word))
    throw new ConfigError(`${name} must be text without spaces`)
  return word
}

/** The number of bytes of a text in either alphabet of base64; 0 when it is not base64. */
export function byteLength(encoded: string): number {
  try {
    return atob(encoded.replaceAll('-', '+').replaceAll('_', '/')).length
  } catch {
    return 0
  }
}
