import { findPairByKey } from '../../shared/market/catalog.ts'
import * as config from '../../shared/config/config.ts'
import { parsePublicOrigin } from '../../shared/config/public-origin.ts'

const PARSERS = {
  WEBHOOK_ADMISSION: config.parseAdmission,
  DELIVERY_WAITS: config.parseWaits,
  DELIVERY_CAPACITY: config.parseCapacity,
  DAILY_PRIVATE_BUDGET: config.parseDailyBudget,
  DATE_READ_LIMIT: config.parseDateReadLimit,
  MCP_REQUEST_LIMIT: config.parseMcpRequestLimit,
  UNKNOWN_KEY_LIMIT: config.parseUnknownKeyLimit,
  CLIENT_ADDRESS_HEADER: config.parseClientAddressHeader,
  TARJETA_RATE: config.parseTarjetaRate,
  DNS_OVER_HTTPS_URL: config.parseResolverUrl,
  PUBLIC_ORIGIN: parsePublicOrigin,
  MAIL_FROM: config.parseMailFrom,
  COMPATIBILITY: config.parseCompatibility,
  KEY_ENCRYPTION_KEYS: config.parseEncryptionKeys,
  SESSION_SECRET: config.parseSessionSecret,
  SYSTEM_WEBHOOK_URL: config.parseSystemUrl,
  SYSTEM_WEBHOOK_PAIRS: (text) => config.parseSystemPairs(text, findPairByKey),
  GITHUB_CLIENT_ID: config.parseGithubId,
  GITHUB_CLIENT_SECRET: config.parseGithubSecret,
} satisfies Record<string, (text: string | undefined) => unknown>

export type ConfigName = keyof typeof PARSERS

export const CONFIG_NAMES = Object.keys(PARSERS) as ConfigName[]

/**
 * One sentence for each problem of a configuration; empty when it can be used. Checks every variable
 * and secret, or those of `names`.
 */
export function configProblems(
  values: Readonly<Record<string, unknown>>,
  names: readonly string[] = CONFIG_NAMES,
): string[] {
  const problems = names.flatMap((name) =>
    isConfigName(name)
      ? problemOf(() => PARSERS[name](values[name] as string | undefined))
      : `${name} is no configuration variable`,
  )
  const isLost = names.includes('MAIL_FROM') && values['MAIL_FROM'] && !values['PUBLIC_ORIGIN']
  return isLost
    ? [
        ...problems,
        'MAIL_FROM needs PUBLIC_ORIGIN, such as https://a.example: mailed links lead there',
      ]
    : problems
}

export function isConfigName(name: string): name is ConfigName {
  return Object.hasOwn(PARSERS, name)
}

function problemOf(parse: () => unknown): string[] {
  try {
    parse()
    return []
  } catch (error) {
    if (error instanceof config.ConfigError) return [error.message]
    throw error
  }
}
