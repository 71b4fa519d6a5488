import { findPairByKey } from '../../shared/market/catalog.ts'
import * as config from '../../shared/config/config.ts'
import { parsePublicOrigin } from '../../shared/config/public-origin.ts'

const PARSERS = {
  ...config.PARSERS,
  PUBLIC_ORIGIN: parsePublicOrigin,
  SYSTEM_WEBHOOK_PAIRS: (text: string | undefined) => config.parseSystemPairs(text, findPairByKey),
}

export type ConfigName = keyof typeof PARSERS

export const CONFIG_NAMES = Object.keys(PARSERS) as ConfigName[]

/**
 * One sentence for each problem of a configuration. Checks the variables and secrets in `names`, by
 * default all.
 */
export function configProblems(
  values: Readonly<Record<string, unknown>>,
  names: readonly string[] = CONFIG_NAMES,
): string[] {
  const problems = names.flatMap((name) =>
    isConfigName(name)
      ? problemOf(() => PARSERS[name](values[name] as string | undefined, name))
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
