import { parse } from 'smol-toml'
import { hashed } from '../../support/random.ts'
import { configProblems } from '../check-config.ts'
import { DATABASE, NAMESPACE, QUEUE, SERVICE, TARGETS } from './plan.ts'

/** What a deployment changes in wrangler.toml. */
export interface Deployment {
  /** The end of every name, such as `-staging`. Empty in production. */
  suffix: string
  /** Custom domains of the edge. Without any, the edge has its workers.dev address. */
  domains: readonly string[]
  /** Variables that override those of wrangler.toml, for every Worker. */
  vars: Vars
}

/** The account's identifiers of the resources. */
interface Identifiers {
  databaseId: string
  namespaceId: string
}

type Vars = Readonly<Record<string, string>>

interface Configuration {
  vars?: Vars
  env: Record<string, Record<string, unknown>>
}

const NO_ORIGIN =
  'PUBLIC_ORIGIN is missing: --domain HOST, or --var PUBLIC_ORIGIN=https://….workers.dev'

/**
 * The content of wrangler.toml for a deployment. Replaces local names by the account's identifiers,
 * lists each Worker's required secrets, gives all variables to every Worker, and adds the suffix to
 * every name, so that staging shares nothing with production.
 */
export function deployedConfiguration(
  toml: string,
  deployment: Deployment,
  identifiers: Identifiers,
): Configuration {
  const { domains, suffix } = deployment
  const { vars: _, ...configuration } = JSON.parse(
    JSON.stringify(parse(toml)),
    (key, value: unknown) =>
      typeof value === 'string' ? deployedName(key, value, suffix, identifiers) : value,
  ) as Configuration

  const vars = variablesOf(toml, deployment)
  for (const { env, secrets } of TARGETS)
    Object.assign(configuration.env[env]!, { vars, secrets: { required: secrets } })
  const edge = configuration.env['edge']!
  // Staging must not have production's addresses.
  if (suffix) delete edge['routes']
  if (domains.length > 0) {
    edge['routes'] = domains.map((pattern) => ({ pattern, custom_domain: true }))
    // The zone's rules do not apply to workers.dev, so a custom domain closes that address.
    edge['workers_dev'] = false
  }
  return configuration
}

/** The variables of a deployment, which every Worker gets. */
function variablesOf(toml: string, { domains, suffix, vars }: Deployment): Vars {
  // Links in staging's e-mails must not lead to production.
  const ofDomains = { PUBLIC_ORIGIN: domains.map((domain) => `https://${domain}`).join(',') }
  const { vars: written = {} } = parse(toml) as unknown as Configuration
  return { ...written, ...(suffix || domains.length > 0 ? ofDomains : {}), ...vars }
}

/** The public origins of the deployment, separated by commas. Links use the first. May be empty. */
export function originsOf(toml: string, deployment: Deployment): string {
  return variablesOf(toml, deployment)['PUBLIC_ORIGIN'] ?? ''
}

const SECRETS = TARGETS.flatMap((target) => [...target.secrets, ...target.optionalSecrets])

/** One sentence for each problem in the options, in wrangler.toml or in the given secrets. */
export function inputProblems(toml: string, deployment: Deployment, secrets: Vars): string[] {
  const vars = variablesOf(toml, deployment)
  const [named, given] = [Object.keys(vars), Object.keys(secrets)]
  return [
    // Everybody with access to the account can read a variable.
    ...named.filter((name) => SECRETS.includes(name)).map((name) => `${name} is a secret`),
    ...configProblems(
      vars,
      named.filter((name) => !SECRETS.includes(name)),
    ),
    ...given.filter((name) => !SECRETS.includes(name)).map((name) => `${name} is no secret`),
    ...configProblems(
      secrets,
      given.filter((name) => SECRETS.includes(name)),
    ),
    ...(vars['PUBLIC_ORIGIN'] ? [] : [NO_ORIGIN]),
  ]
}

function deployedName(
  key: string,
  value: string,
  suffix: string,
  { databaseId, namespaceId }: Identifiers,
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
      // The id of a rate limit. Workers with the same id would share its count.
      return suffix === '' ? value : value + digitsOf(suffix)
    default:
      return value
  }
}

/** Four digits made from a text. */
function digitsOf(text: string): string {
  return String((hashed(text) >>> 0) % 10_000).padStart(4, '0')
}
