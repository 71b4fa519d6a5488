import { parse } from 'smol-toml'
import { configProblems } from '../config/check-config.ts'
import { DATABASE, FRONTS, NAMESPACE, QUEUES, SERVICE, type Target } from './plan.ts'

/** What the account calls the resources that wrangler.toml names, and what this deployment changes. */
export interface Deployment {
  databaseId: string
  namespaceId: string
  /** Ends every name: `-staging`; empty in production. */
  suffix: string
  /** Custom domains of the Worker in front. Without any it has its workers.dev address. */
  domains: readonly string[]
  /** Variables with other values than wrangler.toml's, in every Worker that has them. */
  vars: Readonly<Record<string, string>>
}

interface Environment {
  vars?: Record<string, string>
  [key: string]: unknown
}

/**
 * wrangler.toml as a deployment needs it: with the account's identifiers in place of the local
 * names, and the suffix on everything that has a name, so that staging shares nothing with
 * production. Written as JSON, which wrangler reads as well.
 */
export function deployedConfiguration(toml: string, deployment: Deployment) {
  const { domains, suffix } = deployment
  const configuration = mapStrings(parse(toml), (key, value) =>
    deployedName(key, value, deployment),
  ) as { env: Record<string, Environment> }

  for (const environment of Object.values(configuration.env)) {
    for (const [name, value] of Object.entries(deployedVars(deployment)))
      if (environment.vars && name in environment.vars) environment.vars[name] = value
  }
  for (const env of FRONTS) {
    const front = configuration.env[env]!
    // Production's own addresses are never staging's.
    if (suffix) delete front['routes']
    if (domains.length === 0) continue
    front['routes'] = domains.map((pattern) => ({ pattern, custom_domain: true }))
    // The zone's rules do not apply to workers.dev, so that address is closed where there is a
    // domain.
    front['workers_dev'] = false
  }
  return configuration as Record<string, unknown>
}

/** The variables that a deployment sets differently from wrangler.toml, in all Workers. */
function deployedVars({ suffix, domains, vars }: Deployment): Record<string, string> {
  return {
    // Links in staging's mails must not lead to production.
    ...(suffix || domains.length > 0
      ? { PUBLIC_ORIGIN: domains.map((domain) => `https://${domain}`).join(',') }
      : {}),
    ...vars,
  }
}

/**
 * The problems of the variables that these Workers would get, from wrangler.toml or an option. One
 * sentence each, after the names of the Workers.
 */
export function variableProblems(
  toml: string,
  deployment: Deployment,
  targets: readonly Target[],
): string[] {
  const { env } = deployedConfiguration(toml, deployment) as { env: Record<string, Environment> }
  const found = targets.flatMap((target) => {
    const { vars = {} } = env[target.env] ?? {}
    const names = new Set([...target.variables, ...Object.keys(vars)])
    return configProblems(vars, [...names]).map((problem) => ({ problem, worker: target.env }))
  })
  const byProblem = Map.groupBy(found, ({ problem }) => problem)
  const problems = [...byProblem].map(
    ([problem, of]) => `${of.map(({ worker }) => worker).join(', ')}: ${problem}`,
  )
  return [...problems, ...disagreements(targets.map((target) => [target.env, env[target.env]]))]
}

/** Where people will find the deployment: links lead to the first. Empty where nobody said. */
export function originsOf(toml: string, deployment: Deployment): string {
  const { env } = deployedConfiguration(toml, deployment) as { env: Record<string, Environment> }
  return env['site']?.vars?.['PUBLIC_ORIGIN'] ?? ''
}

/** A variable that several Workers have means one thing: what one does with it the other tells. */
function disagreements(workers: readonly [name: string, Environment | undefined][]): string[] {
  const values = workers.flatMap(([worker, environment]) =>
    Object.entries(environment?.vars ?? {}).map(([name, value]) => ({ name, worker, value })),
  )
  return [...Map.groupBy(values, ({ name }) => name)].flatMap(([name, all]) => {
    if (new Set(all.map(({ value }) => value)).size === 1) return []
    return [
      `${all.map(({ worker }) => worker).join(', ')}: ${name} must be the same in all of them`,
    ]
  })
}

export function unknownVars(toml: string, vars: Readonly<Record<string, string>>): string[] {
  const { env } = parse(toml) as unknown as { env: Record<string, Environment> }
  const known = new Set(Object.values(env).flatMap((each) => Object.keys(each.vars ?? {})))
  return Object.keys(vars).filter((name) => !known.has(name))
}

function deployedName(
  key: string,
  value: string,
  { databaseId, namespaceId, suffix }: Deployment,
): string {
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
    case 'DEAD_LETTER_QUEUE':
      return QUEUES.includes(value) ? value + suffix : value
    case 'namespace_id':
      // The number of a rate limit. Workers with the same number count together.
      return value + digitsOf(suffix)
    default:
      return value
  }
}

/** Four digits of a text; none of an empty one. */
function digitsOf(text: string): string {
  if (text === '') return ''
  const sum = [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 10_000, 0)
  return String(sum).padStart(4, '0')
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
