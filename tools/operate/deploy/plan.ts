/** What a deployment consists of, in the order in which it is done. */

import type { ConfigName } from '../config/check-config.ts'

/** A Worker's environment of wrangler.toml, with its secrets. */
export interface Target {
  env: 'delivery' | 'scraper' | 'site' | 'edge' | 'standalone'
  /** The variables that it cannot run without. */
  variables: readonly ConfigName[]
  /** Those that it cannot run without. */
  secrets: readonly string[]
  /** Those that switch something on. */
  optionalSecrets: readonly string[]
}

function target(
  env: Target['env'],
  variables: Target['variables'] = [],
  secrets: Target['secrets'] = [],
  optionalSecrets: Target['optionalSecrets'] = [],
): Target {
  return { env, variables, secrets, optionalSecrets }
}

const MADE = ['WEBHOOK_ADMISSION', 'DELIVERY_CAPACITY'] as const
const SENT = ['DELIVERY_WAITS', 'DNS_OVER_HTTPS_URL'] as const
const KEYS = 'KEY_ENCRYPTION_KEYS'
const GITHUB = ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET']

/**
 * In the order of deployment: a queue's consumer before its producers, the target of a service
 * binding before its caller, and the edge, which has the stream's object, before the scraper.
 */
export const DISTRIBUTED: readonly Target[] = [
  target('delivery', [...MADE, ...SENT], [KEYS], ['SYSTEM_WEBHOOK_URL']),
  target(
    'site',
    [...MADE, 'DATE_READ_LIMIT', 'MCP_REQUEST_LIMIT'],
    [KEYS, 'SESSION_SECRET'],
    GITHUB,
  ),
  target('edge', [...MADE, 'DAILY_PRIVATE_BUDGET', 'DATE_READ_LIMIT'], [KEYS]),
  target('scraper', [...MADE, 'TARJETA_RATE'], [], ['SYSTEM_WEBHOOK_URL', 'SYSTEM_WEBHOOK_PAIRS']),
]

/** One Worker that needs what all of them need. */
export const STANDALONE: readonly Target[] = [
  {
    env: 'standalone',
    variables: ofAll('variables'),
    secrets: ofAll('secrets'),
    optionalSecrets: ofAll('optionalSecrets'),
  },
]

function ofAll<Key extends Exclude<keyof Target, 'env'>>(key: Key): Target[Key][number][] {
  return [...new Set(DISTRIBUTED.flatMap((target): readonly Target[Key][number][] => target[key]))]
}

/** The Workers that answer the public: they get the domains. */
export const FRONTS: readonly Target['env'][] = ['edge', 'standalone']

export const SECRET_MAKERS: Readonly<Record<string, string>> = {
  KEY_ENCRYPTION_KEYS: 'echo "k1:$(openssl rand -base64 32)"',
  SESSION_SECRET: 'openssl rand -base64 32',
}

export const DATABASE = 'cotizaciones'
export const NAMESPACE = 'board'
export const QUEUE = 'deliveries'
export const SERVICE = 'cotizaciones'

export function namespaceTitle(suffix: string): string {
  return `${DATABASE}-${NAMESPACE}${suffix}`
}

/** What the account calls a Worker: wrangler joins the service's name and the environment's. */
export function workerName(env: Target['env'], suffix: string): string {
  return `${SERVICE}${suffix}-${env}`
}

/** The bundle limits of the design, gzip KiB. The platform takes 3072. */
export const BUNDLE_LIMITS: Readonly<Record<Target['env'], number>> = {
  edge: 150, // most of it loaded behind the current reads
  scraper: 150,
  delivery: 70,
  site: 450,
  standalone: 550,
}
