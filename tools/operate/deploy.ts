/** `npm run deploy`: the service on Cloudflare. wrangler does the work. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Command } from '@commander-js/extra-typings'
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
import { appliedMigrations } from './local/migrate.ts'
import { readSecrets } from './local/secrets.ts'

interface DeployOptions extends Omit<Deployment, 'databaseId' | 'namespaceId'> {
  secretsFile: string | undefined
  dryRun: boolean
}

/** Beside wrangler.toml, because the paths in it are relative to it. Not committed. */
const CONFIG = 'wrangler.deploy.json'

/** East of North America: the nearest that D1 has (it does not run in South America). */
const LOCATION = 'enam'

let steps = 0

function step(title: string): void {
  console.log(`${++steps}. ${title}`)
}

function say(line: string): void {
  console.log(`   ${line}`)
}

/**
 * Makes what is missing on Cloudflare, applies the migrations, and deploys each Worker after what it
 * needs. A dry run prints the steps with their commands, bundles every Worker and touches nothing.
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

  step('resources: D1 database, KV namespace, queues; made where they are missing')
  const { isNew, ...ids } = dryRun ? dryResources(suffix) : makeResources(suffix)
  const configuration = deployedConfiguration(toml, { ...options, ...ids })
  writeFileSync(CONFIG, JSON.stringify(configuration, null, 2))

  step('the database is new, or of this version or one before it; a bookmark, to go back to')
  if (!dryRun && !isNew) {
    await appliedMigrations(openRemote(suffix).db)
    const database = DATABASE + suffix
    const info = ['d1', 'time-travel', 'info', database, '--json', '--config', CONFIG]
    const { bookmark } = JSON.parse(wrangler(info)) as { bookmark: string }
    say(`to go back: wrangler d1 time-travel restore ${database} --bookmark=${bookmark}`)
  }

  const perform = (args: string[]) =>
    dryRun ? say(`$ wrangler ${args.join(' ')}`) : console.log(wrangler(args))
  step('migrations, applied in order')
  const where = ['--remote', '--config', CONFIG, '--env', TARGETS[0]!.env]
  perform(['d1', 'migrations', 'apply', DATABASE + suffix, ...where])

  // Holds bundles of a dry run, or secrets on their way to wrangler: only this user may read it.
  using scratch = openScratch()
  for (const target of TARGETS) {
    const { env } = target
    step(`deploy ${SERVICE}${suffix}-${env}`)
    // A Worker gets the secrets that it reads, and no others.
    const own = [...target.secrets, ...target.optionalSecrets].filter((name) => name in secrets)
    const file = scratch.file(`${env}.json`)
    writeFileSync(file, JSON.stringify(secrets, own), { mode: 0o600 })
    const given = own.length > 0 ? ['--secrets-file', file] : []
    perform(['deploy', '--config', CONFIG, '--env', env, '--minify', ...given])
    if (dryRun) bundle(env, scratch.file(env), CONFIG)
  }
  say(dryRun ? 'dry run: nothing was touched' : 'deployed')
  say(`its history: npm run admin -- backfill --remote${suffix && ` --suffix ${suffix.slice(1)}`}`)
  const [origin] = originsOf(toml, options).split(',')
  say(`whether it holds: npm run verify -- ${origin} --wait ${isNew ? 1200 : 180}`)
}

/** Stands in for the account's identifiers where nothing is deployed. */
function dryResources(suffix: string) {
  say([DATABASE, QUEUE].map((name) => name + suffix).join(', '))
  return { databaseId: 'dry-run', namespaceId: 'dry-run', isNew: false }
}

/** The identifiers of the database and the namespace, and whether the database was made just now. */
function makeResources(suffix: string) {
  const database = DATABASE + suffix
  const title = namespaceTitle(suffix)
  const { id: databaseId, isNew } = ensure(
    `D1 database ${database}`,
    () => listed('d1', 'list', '--json').find(({ name }) => name === database)?.['uuid'],
    ['d1', 'create', database, '--location', LOCATION],
  )
  const { id: namespaceId } = ensure(
    `KV namespace ${title}`,
    () => listed('kv', 'namespace', 'list').find((each) => each['title'] === title)?.['id'],
    ['kv', 'namespace', 'create', title],
  )
  const queue = QUEUE + suffix
  ensure(
    `queue ${queue}`,
    () => new RegExp(`\\b${queue}(?![\\w-])`).exec(wrangler(['queues', 'list']))?.[0],
    ['queues', 'create', queue],
  )
  return { databaseId, namespaceId, isNew }
}

function ensure(what: string, find: () => string | undefined, create: readonly string[]) {
  const before = find()
  const isNew = before === undefined
  if (isNew) wrangler(create)
  const id = before ?? find()
  if (id === undefined) throw new CommandError(`${what} was made but is not listed`)
  say(`${what}: ${isNew ? 'made' : 'exists'}`)
  return { id, isNew }
}

function listed(...command: string[]): Record<string, string>[] {
  return JSON.parse(wrangler(command)) as Record<string, string>[]
}

const command = new Command('npm run deploy --')
  .description('docs/deploy.md')
  .option('--suffix <WORD>', 'a deployment of its own, under other names: staging', suffix, '')
  .option('--domain <HOST>', 'a custom domain of the edge (repeatable)', each(domain), [])
  .option(
    '--var <NAME=VALUE>',
    "a variable with another value than wrangler.toml's (repeatable)",
    each(readVar),
    [],
  )
  .option('--secrets-file <FILE>', 'secrets to set: JSON or lines NAME=value')
  .option('--dry-run', 'prints the steps, bundles every Worker and touches nothing', false)
  .action(({ suffix, domain: domains, var: vars, ...options }) =>
    deploy({
      secretsFile: undefined,
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
