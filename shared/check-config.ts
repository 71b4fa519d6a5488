import { findPairByKey } from './catalog.ts'
import * as config from './config.ts'

/** Every variable of the service and the check of its text. */
const CHECKS: Readonly<Record<string, (text: string) => unknown>> = {
  WEBHOOK_ADMISSION: config.parseAdmission,
  DELIVERY_TRANSPORT: config.parseTransport,
  DELIVERY_WAITS: config.parseWaits,
  DELIVERY_CAPACITY: (text) => config.parsePositiveWhole('DELIVERY_CAPACITY', text),
  DAILY_PRIVATE_BUDGET: (text) => config.parsePositiveWhole('DAILY_PRIVATE_BUDGET', text),
  DATE_READ_LIMIT: (text) => config.parsePositiveWhole('DATE_READ_LIMIT', text),
  TARJETA_RATE: config.parseTarjetaRate,
  DNS_OVER_HTTPS_URL: config.parseResolverUrl,
  DEAD_LETTER_QUEUE: config.checkQueueName,
  PUBLIC_HOSTS: config.parsePublicHosts,
  EDGE_CACHE: config.parseEdgeCache,
  KEY_ENCRYPTION_KEYS: config.checkEncryptionKeys,
  SESSION_SECRET: config.checkSessionSecret,
  SYSTEM_WEBHOOK_URL: config.checkSystemUrl,
  SYSTEM_WEBHOOK_PAIRS: (text) =>
    config.checkSystemPairs(text, (key) => findPairByKey(key) !== undefined),
}

/** What may be absent: the feature is off then. */
const OPTIONAL = new Set([
  'EDGE_CACHE',
  'SYSTEM_WEBHOOK_URL',
  'SYSTEM_WEBHOOK_PAIRS',
  'MAIL_FROM',
  'GITHUB_CLIENT_ID',
  'GITHUB_CLIENT_SECRET',
])

/**
 * Everything that is wrong with a configuration, a sentence each; empty when it can be used. Of all
 * variables, or of those of `names` that there is a check for.
 */
export function configProblems(
  values: Readonly<Record<string, string | undefined>>,
  names: readonly string[] = Object.keys(CHECKS),
): string[] {
  return names.flatMap((name) => {
    const check = CHECKS[name]
    if (!check) return []
    const text = values[name]
    if (text === undefined) return OPTIONAL.has(name) ? [] : [`${name} is missing`]
    return problemOf(() => check(text))
  })
}

export function isConfigName(name: string): boolean {
  return name in CHECKS || OPTIONAL.has(name)
}

function problemOf(check: () => unknown): string[] {
  try {
    check()
    return []
  } catch (error) {
    if (error instanceof config.ConfigError) return [error.message]
    throw error
  }
}
