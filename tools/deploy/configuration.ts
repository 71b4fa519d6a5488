import { parse } from 'smol-toml'
import { DATABASE, NAMESPACE, QUEUES, SERVICE } from './plan.ts'

/** What the account calls the resources that wrangler.toml names. */
export interface Resources {
  databaseId: string
  namespaceId: string
  /** Ends every name: `-staging`; empty in production. */
  suffix: string
}

/**
 * wrangler.toml as a deployment needs it: with the account's identifiers in place of the local
 * names, and the suffix on everything that has a name, so that staging shares nothing with
 * production. Written as JSON, which wrangler reads as well.
 */
export function deployedConfiguration(
  toml: string,
  { databaseId, namespaceId, suffix }: Resources,
) {
  return mapStrings(parse(toml), (key, value) => {
    switch (key) {
      case 'database_id':
        return value === DATABASE ? databaseId : value
      case 'id':
        return value === NAMESPACE ? namespaceId : value
      case 'name':
        return value === SERVICE ? value + suffix : value
      case 'database_name':
        return value + suffix
      case 'service':
      case 'script_name':
        // `cotizaciones-site`: wrangler joins the Worker's name and its environment.
        return value.replace(SERVICE, SERVICE + suffix)
      case 'queue':
      case 'dead_letter_queue':
        return QUEUES.includes(value) ? value + suffix : value
      default:
        return value
    }
  }) as Record<string, unknown>
}

function mapStrings(
  value: unknown,
  map: (key: string, value: string) => string,
  key = '',
): unknown {
  if (typeof value === 'string') return map(key, value)
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, map, key))
  if (typeof value !== 'object' || value === null) return value

  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, mapStrings(item, map, name)]),
  )
}
