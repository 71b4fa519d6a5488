/**
 * The configuration variables, each with its parser: what the README's table says, checked once at
 * start. Texts are for operators, and never repeat a secret.
 */

/** A variable that cannot be used, in one sentence. */
export class ConfigError extends Error {}

export function parseAdmission(text: string): 'closed' | 'open' {
  return oneOf('WEBHOOK_ADMISSION', text, ['closed', 'open'])
}

/** Whether a deployment puts the platform's cache in front of the edge (docs/cache.md). */
export function parseEdgeCache(text: string): 'on' | 'off' {
  return oneOf('EDGE_CACHE', text, ['on', 'off'])
}

export function parseTransport(text: string): 'pinned' | 'fetch' {
  return oneOf('DELIVERY_TRANSPORT', text, ['pinned', 'fetch'])
}

/** The waits after the first, second and third failed attempt, in whole seconds. */
export function parseWaits(text: string): readonly [number, number, number] {
  const parts = text.split(',').map((part) => part.trim())
  if (parts.length !== 3 || !parts.every(isPositiveWhole))
    throw new ConfigError(
      'DELIVERY_WAITS must be three whole numbers of seconds, as in 30,300,1800',
    )

  const [first, second, third] = parts.map(Number) as [number, number, number]
  return [first, second, third]
}

export function parsePositiveWhole(name: string, text: string): number {
  if (!isPositiveWhole(text)) throw new ConfigError(`${name} must be a whole number above 0`)
  return Number(text)
}

/** The perception on card purchases as a fraction: `0.30` is 30 %. */
export function parseTarjetaRate(text: string): string {
  if (!/^[0-2](\.\d{1,4})?$/.test(text))
    throw new ConfigError('TARJETA_RATE must be a fraction such as 0.30, below 3')
  return text
}

/** `https` only: whoever can answer for the resolver can choose where deliveries go. */
export function parseResolverUrl(text: string): string {
  if (URL.parse(text)?.protocol !== 'https:')
    throw new ConfigError('DNS_OVER_HTTPS_URL must be an https URL')
  return text
}

export function checkQueueName(text: string): void {
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(text))
    throw new ConfigError('DEAD_LETTER_QUEUE must be the name of a queue')
}

/** Our own host names, lower case, to which no delivery may go. Empty when there are none. */
export function parsePublicHosts(text: string): readonly string[] {
  const hosts = text.split(',').flatMap((host) => host.trim().toLowerCase() || [])
  const odd = hosts.find((host) => !/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(host))
  if (odd !== undefined)
    throw new ConfigError(`PUBLIC_HOSTS must be host names separated by commas, and ${odd} is none`)
  return hosts
}

/** `kid:base64,…`: secrets of at least 32 bytes, the first of which is current. Checks the form only. */
export function checkEncryptionKeys(text: string): void {
  const kids = text.split(',').map((entry) => {
    const [, kid, encoded] = /^([A-Za-z0-9_-]+):([A-Za-z0-9+/]+={0,2})$/.exec(entry.trim()) ?? []
    if (!kid || !encoded || byteLength(encoded) < 32)
      throw new ConfigError(
        'KEY_ENCRYPTION_KEYS must be kid:base64 of at least 32 bytes, several separated by commas',
      )
    return kid
  })
  if (new Set(kids).size < kids.length)
    throw new ConfigError('KEY_ENCRYPTION_KEYS names a key twice')
}

export function checkSessionSecret(text: string): void {
  if (text.length < 32) throw new ConfigError('SESSION_SECRET must have at least 32 characters')
}

/** Absent means that there is no system destination. */
export function checkSystemUrl(text: string): void {
  if (URL.parse(text)?.protocol !== 'https:')
    throw new ConfigError('SYSTEM_WEBHOOK_URL must be an https URL')
}

/** `USD/BLUE,USD/BNA`; each must be in the catalogue, of which `isPair` knows. */
export function checkSystemPairs(text: string, isPair: (key: string) => boolean): void {
  const odd = text.split(',').find((key) => !isPair(key.trim()))
  if (odd !== undefined)
    throw new ConfigError(
      `SYSTEM_WEBHOOK_PAIRS must be pairs such as USD/BLUE,USD/BNA, and '${odd.trim()}' is none`,
    )
}

function oneOf<Choice extends string>(name: string, text: string, choices: Choice[]): Choice {
  const choice = choices.find((choice) => choice === text)
  if (!choice) throw new ConfigError(`${name} must be ${choices.join(' or ')}`)
  return choice
}

function isPositiveWhole(text: string): boolean {
  return /^[1-9]\d{0,14}$/.test(text)
}

function byteLength(encoded: string): number {
  try {
    return atob(encoded).length
  } catch {
    return 0
  }
}
