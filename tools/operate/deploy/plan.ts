/** A Worker: its environment in wrangler.toml and its secrets. */
export interface Target {
  env: 'delivery' | 'site' | 'edge' | 'scraper'
  /** The secrets that it requires. */
  secrets: readonly string[]
  /** The secrets that enable an optional feature. */
  optionalSecrets: readonly string[]
}

const KEYS = 'KEY_ENCRYPTION_KEYS'

/**
 * In the sequence of deployment: a queue's consumer before its producers, the target of a service
 * binding before its caller, and the edge, which has the Durable Object of the stream, before the
 * scraper, which calls it.
 */
export const TARGETS: readonly Target[] = [
  { env: 'delivery', secrets: [KEYS], optionalSecrets: ['SYSTEM_WEBHOOK_URL'] },
  {
    env: 'site',
    secrets: [KEYS, 'SESSION_SECRET'],
    optionalSecrets: ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
  },
  { env: 'edge', secrets: [KEYS], optionalSecrets: [] },
  { env: 'scraper', secrets: [], optionalSecrets: ['SYSTEM_WEBHOOK_URL', 'SYSTEM_WEBHOOK_PAIRS'] },
]

export const DATABASE = 'cotizaciones'
export const NAMESPACE = 'board'
export const QUEUE = 'deliveries'
export const SERVICE = 'cotizaciones'

export function namespaceTitle(suffix: string): string {
  return `${DATABASE}-${NAMESPACE}${suffix}`
}
