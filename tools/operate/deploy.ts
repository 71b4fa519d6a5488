/** `npm run deploy`: the service on Cloudflare. wrangler does the work. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Command } from '@commander-js/extra-typings'
import { CommandError, each, readVar, runCommand, UsageError } from '../support/arguments.ts'
import { openScratch } from '../support/scratch.ts'
import { openRemote } from './admin/open-remote.ts'
import { deployedConfiguration, inputProblems, originsOf } from './deploy/configuration.ts'
import {
  DATABASE,
  DISTRIBUTED,
  namespaceTitle,
  QUEUE,
  SECRET_MAKERS,
  STANDALONE,
  type Target,
  workerName,
} from './deploy/plan.ts'
import { bundle, wrangler } from './deploy/wrangler.ts'
import { appliedMigrations } from './local/migrate.ts'
import { readSecrets } from './local/secrets.ts'

interface DeployOptions {
  targets: readonly Target[]
  /** `-staging`, or empty. */
  suffix: string
  domains: readonly string[]
  vars: Readonly<Record<string, string>>
  secretsFile: string | undefined
  dryRun: boolean
}

type Secrets = Readonly<Record<string, string>>

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
  const { targets, suffix, secretsFile, dryRun } = options
  const toml = readFileSync('wrangler.toml', 'utf8')
  const secrets = secretsFile === undefined ? {} : readSecrets(secretsFile)
  refuse('these cannot be used', inputProblems(toml, options, secrets))

  step('resources: D1 database, KV namespace, queues; made where they are missing')
  const { isNew, ...ids } = dryRun ? dryResources(suffix) : makeResources(suffix)
  const configuration = deployedConfiguration(toml, { ...options, ...ids })
  writeFileSync(CONFIG, JSON.stringify(configuration, null, 2))

  step('secrets: each Worker has those that it needs, deployed before or in --secrets-file')
  const missing = targets.flatMap((target) => missingSecrets(target, secrets, dryRun))
  if (dryRun) missing.forEach((line) => say(`needed, unless deployed already: ${line}`))
  else refuse('secrets are missing; put them in a file and give --secrets-file', missing)

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
  const where = ['--remote', '--config', CONFIG, '--env', targets[0]!.env]
  perform(['d1', 'migrations', 'apply', DATABASE + suffix, ...where])

  // Holds bundles of a dry run, or secrets on their way to wrangler: only this user may read it.
  using scratch = openScratch()
  for (const target of targets) {
    step(`deploy ${workerName(target.env, suffix)}`)
    const file = scratch.file(`${target.env}.json`)
    const its = secretsFor(target, secrets)
    writeFileSync(file, JSON.stringify(its), { mode: 0o600 })
    const given = Object.keys(its).length > 0 ? ['--secrets-file', file] : []
    perform(['deploy', '--config', CONFIG, '--env', target.env, '--minify', ...given])
    if (dryRun) bundle(target.env, scratch.file(target.env), CONFIG)
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

/** The secrets that a Worker reads. It gets no others. */
function secretsFor({ secrets, optionalSecrets }: Target, all: Secrets): Secrets {
  const names = [...secrets, ...optionalSecrets]
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)))
}

/** One line for each secret that a target needs and that neither the file nor the account has. */
function missingSecrets(target: Target, given: Secrets, dryRun: boolean): string[] {
  const names = target.secrets.filter((name) => !(name in given))
  const there = names.length > 0 && !dryRun ? deployedSecrets(target) : []
  return names
    .filter((name) => !there.includes(name))
    .map((name) => `${target.env}: ${name}   make one: ${SECRET_MAKERS[name]}`)
}

/** The names that a deployed Worker has; none before its first deployment. */
function deployedSecrets({ env }: Target): string[] {
  try {
    return listed('secret', 'list', '--config', CONFIG, '--env', env).map(({ name }) => name!)
  } catch (error) {
    if (error instanceof CommandError && /does not exist|not found|10007/.test(error.message))
      return []
    throw error
  }
}

function refuse(what: string, problems: readonly string[]): void {
  if (problems.length === 0) return
  throw new CommandError([`${what}:`, ...problems.map((line) => `  ${line}`)].join('\n'))
}

const command = new Command('npm run deploy --')
  .description('docs/deploy.md')
  .option('--standalone', 'one Worker instead of four')
  .option('--suffix <WORD>', 'a deployment of its own, under other names: staging', suffix, '')
  .option(
    '--domain <HOST>',
    'a custom domain of the Worker in front (repeatable)',
    each(domain),
    [],
  )
  .option(
    '--var <NAME=VALUE>',
    "a variable with another value than wrangler.toml's (repeatable)",
    each(readVar),
    [],
  )
  .option('--secrets-file <FILE>', 'secrets to set: JSON or lines NAME=value')
  .option('--dry-run', 'prints the steps, bundles every Worker and touches nothing', false)
  .action(({ standalone, suffix, domain: domains, var: vars, secretsFile, dryRun }) =>
    deploy({
      targets: standalone ? STANDALONE : DISTRIBUTED,
      suffix: suffix && `-${suffix}`,
      domains,
      vars: Object.fromEntries(vars),
      secretsFile,
      dryRun,
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
