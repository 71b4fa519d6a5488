/** `npm run deploy`: deploys the service to Cloudflare with wrangler. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Command } from '@commander-js/extra-typings'
import { openKeyring } from '../../shared/crypto/sealed-box.ts'
import { placeStatement } from '../../shared/db/installation.ts'
import { CommandError, each, readVar, runCommand, UsageError } from '../support/arguments.ts'
import { openScratch } from '../support/scratch.ts'
import { openRemote } from './admin/open-remote.ts'
import {
  deployedConfiguration,
  type Deployment,
  inputProblems,
  originsOf,
} from './deploy/configuration.ts'
import { DATABASE, namespaceTitle, QUEUE, SERVICE, TARGETS } from './deploy/plan.ts'
import { bundle, wrangler } from './deploy/wrangler.ts'
import { checkKeys, noteKeys } from './installation.ts'
import { appliedMigrations } from './local/migrate.ts'
import { readSecrets } from './local/secrets.ts'

interface DeployOptions extends Deployment {
  secretsFile?: string | undefined
  dryRun: boolean
}

/** Written beside wrangler.toml, because the paths in it are relative. Not committed. */
const CONFIG = 'wrangler.deploy.json'

/** Eastern North America: the nearest region of D1, which does not run in South America. */
const LOCATION = 'enam'

let titles = 0

function printTitle(title: string): void {
  console.log(`${++titles}. ${title}`)
}

function print(text: string | undefined): void {
  if (text) console.log(text.replace(/^/gm, '   '))
}

/**
 * Creates resources and deploys Workers only after every check that can refuse the deployment. A
 * dry run prints the commands, bundles every Worker and changes nothing.
 */
async function deploy(options: DeployOptions): Promise<void> {
  using cleanup = new DisposableStack()
  cleanup.defer(() => rmSync(CONFIG, { force: true }))
  const { suffix, secretsFile, dryRun } = options
  const toml = readFileSync('wrangler.toml', 'utf8')
  const secrets = secretsFile === undefined ? {} : readSecrets(secretsFile)
  const problems = inputProblems(toml, options, secrets)
  if (problems.length > 0)
    throw new CommandError(['these cannot be used:', ...problems].join('\n  '))

  const run = (...args: string[]) => {
    if (dryRun) print(`$ wrangler ${args.join(' ')}`)
    return dryRun ? null : wrangler(args)
  }
  printTitle('look up what exists, and whether this account or token may see it')
  const resources = resourcesOf(suffix).map((resource) => ({
    ...resource,
    id: findId(run, resource),
  }))
  requireSecrets(run, suffix, secrets)

  const remote = openRemote(suffix).db
  const keys = secrets['KEY_ENCRYPTION_KEYS']
  const isNew = resources[0]!.id === undefined
  printTitle('check the version of an existing database, and the keys that it was sealed with')
  if (!dryRun && !isNew) {
    await appliedMigrations(remote, print)
    if (keys !== undefined) await checkKeys(remote, openKeyring(keys))
  }

  printTitle('create what is missing')
  const [databaseId, namespaceId] = resources.map((resource) => resource.id ?? make(run, resource))
  const identifiers = { databaseId: databaseId!, namespaceId: namespaceId! }
  const configuration = deployedConfiguration(toml, options, identifiers)
  writeFileSync(CONFIG, JSON.stringify(configuration, null, 2))

  const database = DATABASE + suffix
  if (!isNew) {
    printTitle('bookmark the database')
    const info = run('d1', 'time-travel', 'info', database, '--json', '--config', CONFIG)
    const bookmark = info && (JSON.parse(info) as { bookmark: string }).bookmark
    if (bookmark)
      print(`to go back: wrangler d1 time-travel restore ${database} --bookmark=${bookmark}`)
  }

  printTitle('apply the migrations')
  const where = ['--remote', '--config', CONFIG, '--env', TARGETS[0]!.env]
  print(run('d1', 'migrations', 'apply', database, ...where)?.trim())
  if (!dryRun) await enterService(remote, { databaseId: databaseId!, keys, suffix })

  // Holds the bundles of a dry run, or secrets for wrangler. Only this user may read it.
  using scratch = openScratch()
  for (const target of TARGETS) {
    const { env } = target
    printTitle(`deploy ${SERVICE}${suffix}-${env}`)
    // A Worker gets only the secrets that it reads.
    const own = [...target.secrets, ...target.optionalSecrets].filter((name) => name in secrets)
    const file = scratch.file(`${env}.json`)
    writeFileSync(file, JSON.stringify(secrets, own), { mode: 0o600 })
    const given = own.length > 0 ? ['--secrets-file', file] : []
    print(run('deploy', '--config', CONFIG, '--env', env, '--minify', ...given)?.trim())
    if (dryRun) bundle(env, scratch.file(env), CONFIG)
  }
  print(dryRun ? 'dry run: nothing was touched' : 'deployed')
  print(`to fetch its history: npm run admin -- backfill --remote${optionOf(suffix)}`)
  const [origin] = originsOf(toml, options).split(',')
  print(`to check it: npm run verify -- ${origin} --wait ${isNew ? 1200 : 180}`)
}

/** Runs wrangler and returns its output. A dry run prints the command instead and returns null. */
type Run = (...args: string[]) => string | null

interface Resource {
  what: string
  list: string[]
  /** The identifier of the resource in the output of `list`; undefined when it does not exist. */
  idIn: (listed: string) => string | undefined
  create: string[]
}

/** Callers rely on this sequence: the database, the namespace, the queue. */
function resourcesOf(suffix: string): Resource[] {
  const database = DATABASE + suffix
  const title = namespaceTitle(suffix)
  const queue = QUEUE + suffix
  return [
    {
      what: `D1 database ${database}`,
      list: ['d1', 'list', '--json'],
      idIn: (listed) => rows(listed).find(({ name }) => name === database)?.['uuid'],
      create: ['d1', 'create', database, '--location', LOCATION],
    },
    {
      what: `KV namespace ${title}`,
      list: ['kv', 'namespace', 'list'],
      idIn: (listed) => rows(listed).find((each) => each['title'] === title)?.['id'],
      create: ['kv', 'namespace', 'create', title],
    },
    {
      what: `queue ${queue}`,
      list: ['queues', 'list'],
      // Matches whole names: `deliveries-staging` is not the queue `deliveries`.
      idIn: (listed) => new RegExp(`(?<![\\w-])${queue}(?![\\w-])`).exec(listed)?.[0],
      create: ['queues', 'create', queue],
    },
  ]
}

function rows(listed: string): Record<string, string>[] {
  return JSON.parse(listed) as Record<string, string>[]
}

function findId(run: Run, { what, list, idIn }: Resource): string | undefined {
  const listed = run(...list)
  if (listed === null) return undefined
  const id = idIn(listed)
  print(`${what}: ${id === undefined ? 'missing' : 'exists'}`)
  return id
}

/** Creates a resource and returns its identifier. */
function make(run: Run, { what, list, idIn, create }: Resource): string {
  if (run(...create) === null) return 'dry-run'
  const id = idIn(run(...list)!)
  if (id === undefined) throw new CommandError(`${what} was created but is not listed`)
  print(`${what}: created`)
  return id
}

/**
 * Refuses to deploy a Worker that lacks a required secret. Queries the first Worker even if all its
 * secrets are given, to check that the token may read Workers.
 */
function requireSecrets(run: Run, suffix: string, given: Readonly<Record<string, string>>): void {
  const missing = TARGETS.flatMap(({ env, secrets }, index) => {
    const isGiven = secrets.every((name) => name in given)
    if (isGiven && index > 0) return []
    const set = secretsOf(run, `${SERVICE}${suffix}-${env}`)
    return set === null
      ? []
      : secrets.filter((name) => !(name in given) && !set.includes(`"${name}"`))
  })
  if (missing.length > 0)
    throw new CommandError(
      `these secrets are missing: ${[...new Set(missing)].join(', ')}: give --secrets-file FILE`,
    )
}

function secretsOf(run: Run, worker: string): string | null {
  try {
    return run('secret', 'list', '--name', worker)
  } catch (error) {
    if (/Worker "\S+" not found/.test(String(error))) return ''
    throw error
  }
}

/** Records the keys and the location of the database. A copied database stops delivering. */
async function enterService(
  db: D1Database,
  { databaseId, keys, suffix }: { databaseId: string; keys: string | undefined; suffix: string },
): Promise<void> {
  if (keys !== undefined) await noteKeys(db, openKeyring(keys))
  const delivers = await placeStatement(db, `D1 ${databaseId}`).first<0 | 1>('delivers')
  if (delivers === 0)
    print(
      `this database is a copy: deliveries and e-mails stay off until npm run admin -- deliver --remote${optionOf(suffix)}`,
    )
}

function optionOf(suffix: string): string {
  return suffix && ` --suffix ${suffix.slice(1)}`
}

const command = new Command('npm run deploy --')
  .description('Deploys the service to Cloudflare (docs/deploy.md).')
  .option(
    '--suffix <WORD>',
    'makes a separate deployment whose names end in this word: staging',
    suffix,
    '',
  )
  .option('--domain <HOST>', 'a custom domain of the edge (repeatable)', each(domain), [])
  .option('--var <NAME=VALUE>', 'a configuration variable (repeatable)', each(readVar), [])
  .option('--secrets-file <FILE>', 'the secrets to set: JSON, or lines NAME=value')
  .option('--dry-run', 'prints every command, bundles every Worker and changes nothing', false)
  .action(({ suffix, domain: domains, var: vars, ...options }) =>
    deploy({
      ...options,
      suffix: suffix && `-${suffix}`,
      domains,
      vars: Object.fromEntries(vars),
    }),
  )

function suffix(text: string): string {
  if (!/^[a-z0-9]*$/.test(text)) throw new UsageError('--suffix is a word: staging')
  return text
}

function domain(text: string): string {
  if (!/^[a-z0-9]([a-z0-9.-]*[a-z0-9])$/.test(text))
    throw new UsageError(`--domain is a host name in small letters, not ${text}`)
  return text
}

await runCommand(command)
