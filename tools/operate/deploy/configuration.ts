import { parse } from 'smol-toml'
import { configProblems } from '../check-config.ts'
import { DATABASE, NAMESPACE, QUEUE, SERVICE, TARGETS } from './plan.ts'

/** What the account calls the resources that wrangler.toml names, and what this deployment changes. */
export interface Deployment {
  databaseId: string
  namespaceId: string
  /** Ends every name: `-staging`; empty in production. */
  suffix: string
  /** Custom domains of the edge. Without any it has its workers.dev address. */
  domains: readonly string[]
  /** Variables with other values than wrangler.toml's, in every Worker that has them. */
  vars: Vars
}

/** Where identifiers do not count: they come from the account, after the checks. */
type Chosen = Omit<Deployment, 'databaseId' | 'namespaceId'>

type Vars = Readonly<Record<string, string>>

interface Environment {
  vars: Record<string, string>
  [key: string]: unknown
}

const NO_ORIGIN =
  'PUBLIC_ORIGIN is missing: --domain HOST, or --var PUBLIC_ORIGIN=https://….workers.dev'

/**
 * wrangler.toml as a deployment needs it: with the account's identifiers in place of the local
 * names, the secrets without which wrangler shall refuse, and the suffix on everything that has a
 * name, so that staging shares nothing with production. Written as JSON, which wrangler reads too.
 */
export function deployedConfiguration(toml: string, deployment: Deployment) {
  const { domains, suffix } = deployment
  // Links in staging's mails must not lead to production.
  const ofDomains = { PUBLIC_ORIGIN: domains.map((domain) => `https://${domain}`).join(',') }
  const vars = { ...(suffix || domains.length > 0 ? ofDomains : {}), ...deployment.vars }
  const configuration = JSON.parse(JSON.stringify(parse(toml)), (key, value: unknown) =>
    typeof value === 'string' ? deployedName(key, value, deployment) : value,
  ) as { env: Record<string, Environment> }

  // The environment of `npm start` is never deployed.
  delete configuration.env['standalone']
  for (const { env, secrets } of TARGETS) {
    const environment = configuration.env[env]!
    environment['secrets'] = { required: secrets }
    for (const [name, value] of Object.entries(vars))
      if (name in environment.vars) environment.vars[name] = value
  }
  const edge = configuration.env['edge']!
  // Production's own addresses are never staging's.
  if (suffix) delete edge['routes']
  if (domains.length > 0) {
    edge['routes'] = domains.map((pattern) => ({ pattern, custom_domain: true }))
    // The zone's rules do not apply to workers.dev, so that address is closed where there is a
    // domain.
    edge['workers_dev'] = false
  }
  return configuration
}

/** What is wrong with options, wrangler.toml and given secrets: a sentence each. */
export function inputProblems(toml: string, chosen: Chosen, secrets: Vars): string[] {
  const workers = variablesOf(toml, chosen)
  const known = Object.assign({}, ...Object.values(workers)) as Vars
  return [
    ...Object.keys(chosen.vars)
      .filter((name) => !(name in known))
      .map((name) => `${name} is no variable of wrangler.toml`),
    ...variableProblems(workers, known),
    ...secretProblems(secrets),
    ...(originsOf(toml, chosen) ? [] : [NO_ORIGIN]),
  ]
}

/** One sentence for each problem, after the names of the Workers that have it. */
function variableProblems(workers: Record<string, Vars>, known: Vars): string[] {
  const found = TARGETS.flatMap(({ env, variables }) => {
    const vars = workers[env]!
    const problems = configProblems(vars, [...new Set([...variables, ...Object.keys(vars)])])
    // A variable that several Workers have means one thing: what one does with it the other tells.
    const differing = Object.keys(vars)
      .filter((name) => vars[name] !== known[name])
      .map((name) => `${name} must be the same in every Worker`)
    return [...problems, ...differing].map((problem) => ({ problem, env }))
  })
  return [...Map.groupBy(found, ({ problem }) => problem)].map(
    ([problem, of]) => `${of.map(({ env }) => env).join(', ')}: ${problem}`,
  )
}

/** What is wrong with given secrets, and names that no Worker reads. */
function secretProblems(secrets: Vars): string[] {
  const known = new Set(TARGETS.flatMap((target) => [...target.secrets, ...target.optionalSecrets]))
  const names = Object.keys(secrets)
  return [
    ...names.filter((name) => !known.has(name)).map((name) => `${name} is no secret`),
    ...configProblems(
      secrets,
      names.filter((name) => known.has(name)),
    ),
  ]
}

/** Where people will find the deployment: links lead to the first. Empty where nobody said. */
export function originsOf(toml: string, chosen: Chosen): string {
  return variablesOf(toml, chosen)['site']!['PUBLIC_ORIGIN'] ?? ''
}

/** The variables of each Worker. */
function variablesOf(toml: string, chosen: Chosen): Record<string, Vars> {
  const { env } = deployedConfiguration(toml, { databaseId: '', namespaceId: '', ...chosen })
  return Object.fromEntries(TARGETS.map(({ env: name }) => [name, env[name]!.vars]))
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
