import { parse } from 'smol-toml'
import { configProblems } from '../config/check-config.ts'
import { DATABASE, FRONTS, NAMESPACE, QUEUE, SERVICE, type Target } from './plan.ts'

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

/** Where identifiers do not count: they come from the account, after the checks. */
type Chosen = Omit<Deployment, 'databaseId' | 'namespaceId'>

interface Environment {
  vars?: Record<string, string>
  [key: string]: unknown
}

const NO_ORIGIN =
  'PUBLIC_ORIGIN is missing: --domain HOST, or --var PUBLIC_ORIGIN=https://….workers.dev'

/**
 * wrangler.toml as a deployment needs it: with the account's identifiers in place of the local
 * names, and the suffix on everything that has a name, so that staging shares nothing with
 * production. Written as JSON, which wrangler reads as well.
 */
export function deployedConfiguration(toml: string, deployment: Deployment) {
  const { domains, suffix } = deployment
  // Links in staging's mails must not lead to production.
  const ofDomains = { PUBLIC_ORIGIN: domains.map((domain) => `https://${domain}`).join(',') }
  const vars = { ...(suffix || domains.length > 0 ? ofDomains : {}), ...deployment.vars }
  const configuration = JSON.parse(JSON.stringify(parse(toml)), (key, value: unknown) =>
    typeof value === 'string' ? deployedName(key, value, deployment) : value,
  ) as { env: Record<string, Environment> }

  for (const environment of Object.values(configuration.env)) {
    for (const [name, value] of Object.entries(vars))
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
  return configuration
}

/** What is wrong with options, wrangler.toml and given secrets: a sentence each. */
export function inputProblems(
  toml: string,
  options: Chosen & { targets: readonly Target[] },
  secrets: Readonly<Record<string, string>>,
): string[] {
  const { targets, vars } = options
  const known = new Set(Object.values(environments(toml)).flatMap((each) => Object.keys(each)))
  return [
    ...Object.keys(vars)
      .filter((name) => !known.has(name))
      .map((name) => `${name} is no variable of wrangler.toml`),
    ...variableProblems(toml, options, targets),
    ...secretProblems(targets, secrets),
    ...(originsOf(toml, options) ? [] : [NO_ORIGIN]),
  ]
}

/**
 * The problems of the variables that these Workers would get, from wrangler.toml or an option. One
 * sentence each, after the names of the Workers.
 */
export function variableProblems(
  toml: string,
  chosen: Chosen,
  targets: readonly Target[],
): string[] {
  const all = environments(toml, chosen)
  const workers = targets.map(({ env, variables }) => ({ env, variables, vars: all[env] ?? {} }))
  const found = workers.flatMap(({ env, variables, vars }) =>
    configProblems(vars, [...new Set([...variables, ...Object.keys(vars)])]).map((problem) => ({
      problem,
      env,
    })),
  )
  const values = workers.flatMap(({ env, vars }) =>
    Object.entries(vars).map(([name, value]) => ({ name, value, env })),
  )
  // A variable that several Workers have means one thing: what one does with it the other tells.
  const disagreements = [...Map.groupBy(values, ({ name }) => name)].flatMap(([name, of]) =>
    new Set(of.map(({ value }) => value)).size === 1
      ? []
      : of.map(({ env }) => ({ problem: `${name} must be the same in all of them`, env })),
  )
  return [...Map.groupBy([...found, ...disagreements], ({ problem }) => problem)].map(
    ([problem, of]) => `${of.map(({ env }) => env).join(', ')}: ${problem}`,
  )
}

/** What is wrong with given secrets, and names that no Worker reads. */
export function secretProblems(
  targets: readonly Target[],
  secrets: Readonly<Record<string, string>>,
): string[] {
  const known = new Set(targets.flatMap((target) => [...target.secrets, ...target.optionalSecrets]))
  const names = Object.keys(secrets)
  return [
    ...names
      .filter((name) => !known.has(name))
      .map((name) => `${name} is no secret of these Workers`),
    ...configProblems(
      secrets,
      names.filter((name) => known.has(name)),
    ),
  ]
}

/** Where people will find the deployment: links lead to the first. Empty where nobody said. */
export function originsOf(toml: string, chosen: Chosen): string {
  return environments(toml, chosen)['site']?.['PUBLIC_ORIGIN'] ?? ''
}

/** The variables of each Worker. */
function environments(
  toml: string,
  chosen: Chosen = { suffix: '', domains: [], vars: {} },
): Record<string, Record<string, string>> {
  const { env } = deployedConfiguration(toml, { databaseId: '', namespaceId: '', ...chosen })
  return Object.fromEntries(Object.entries(env).map(([name, { vars = {} }]) => [name, vars]))
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
      return value === QUEUE ? value + suffix : value
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
