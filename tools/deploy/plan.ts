/** What a deployment consists of, in the order in which it is done. */

/** A Worker's environment of wrangler.toml, and the secrets that it cannot run without. */
export interface Target {
  env: 'delivery' | 'scraper' | 'site' | 'edge' | 'standalone'
  secrets: readonly string[]
}

/**
 * Each after what it sends to: a queue has its consumer before its producers write, and a service
 * binding has its target before its caller, and the edge has the object that the scraper tells.
 */
export const DISTRIBUTED: readonly Target[] = [
  { env: 'delivery', secrets: ['KEY_ENCRYPTION_KEYS'] },
  { env: 'site', secrets: ['KEY_ENCRYPTION_KEYS', 'SESSION_SECRET'] },
  { env: 'edge', secrets: ['KEY_ENCRYPTION_KEYS'] },
  { env: 'scraper', secrets: [] },
]

export const STANDALONE: readonly Target[] = [
  { env: 'standalone', secrets: ['KEY_ENCRYPTION_KEYS', 'SESSION_SECRET'] },
]

/** How to make each secret, for the list of those that are missing. */
export const HOW_TO_MAKE: Readonly<Record<string, string>> = {
  KEY_ENCRYPTION_KEYS: 'echo "k1:$(openssl rand -base64 32)"',
  SESSION_SECRET: 'openssl rand -base64 32',
}

export const DATABASE = 'cotizaciones'
export const NAMESPACE = 'board'
export const QUEUES = ['deliveries', 'deliveries-dead']
export const SERVICE = 'cotizaciones'

/** The bundle limits of the design, gzip KiB. */
export const BUNDLE_LIMITS: Readonly<Record<Target['env'], number>> = {
  edge: 70,
  scraper: 80,
  delivery: 70,
  site: 350,
  standalone: 500,
}
