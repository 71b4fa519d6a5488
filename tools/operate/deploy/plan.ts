/** A Worker: its environment in wrangler.toml, its secrets and its limit of size. */
export interface Target {
  env: 'delivery' | 'site' | 'edge' | 'scraper'
  /** The secrets that it requires. */
  secrets: readonly string[]
  /** The secrets that enable an optional feature. */
  optionalSecrets: readonly string[]
  /** The size limit that we set, in KiB gzip. The platform accepts 3072. */
  bundleLimit: number
}

const KEYS = 'KEY_ENCRYPTION_KEYS'

/**
 * In the order of deployment: a queue's consumer before its producers, the target of a service
 * binding before its caller, and the edge, which has the streams' Durable Object, before the
 * scraper.
 */
export const TARGETS: readonly Target[] = [
  {
    env: 'delivery',
    secrets: [KEYS],
    optionalSecrets: ['SYSTEM_WEBHOOK_URL'],
    bundleLimit: 70,
  },
  {
    env: 'site',
    secrets: [KEYS, 'SESSION_SECRET'],
    optionalSecrets: ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
    bundleLimit: 450,
  },
  {
    env: 'edge',
    secrets: [KEYS],
    optionalSecrets: [],
    bundleLimit: 200,
  },
  {
    env: 'scraper',
    secrets: [],
    optionalSecrets: ['SYSTEM_WEBHOOK_URL', 'SYSTEM_WEBHOOK_PAIRS'],
    bundleLimit: 150,
  },
]

export const DATABASE = 'cotizaciones'
export const NAMESPACE = 'board'
export const QUEUE = 'deliveries'
export const SERVICE = 'cotizaciones'

export function namespaceTitle(suffix: string): string {
  return `${DATABASE}-${NAMESPACE}${suffix}`
}
