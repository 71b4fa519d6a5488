import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { openRemote } from '../admin/open-remote.ts'
import { CommandError } from '../../support/arguments.ts'
import { openScratch, type Scratch } from '../../support/scratch.ts'
import { appliedMigrations } from '../local/migrate.ts'
import { readSecrets } from '../local/secrets.ts'
import { deployedConfiguration, originsOf, unknownVars, variableProblems } from './configuration.ts'
import type { DeployOptions } from './options.ts'
import { DATABASE, namespaceTitle, QUEUES, type Target, workerName } from './plan.ts'
import { consumerOf, ensureDatabase, ensureNamespace, ensureQueues } from './resources.ts'
import { missingSecrets, namesDeployed, secretProblems, secretsFor } from './secrets.ts'
import { wrangler } from './wrangler.ts'

/** Beside wrangler.toml, because the paths in it are relative to it. Not committed. */
const CONFIG = 'wrangler.deploy.json'

/** Stands in for the account's identifiers where nothing is deployed. */
const DRY_IDS = { databaseId: 'dry-run', namespaceId: 'dry-run' }

const NO_ORIGIN =
  'PUBLIC_ORIGIN is missing: --domain HOST, or --var PUBLIC_ORIGIN=https://….workers.dev'

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
export async function deploy(options: DeployOptions): Promise<void> {
  // Holds secrets on their way to wrangler; only this user may read it.
  using scratch = openScratch()
  try {
    await deployAll(options, scratch)
  } finally {
    rmSync(CONFIG, { force: true })
  }
}

async function deployAll(options: DeployOptions, scratch: Scratch): Promise<void> {
  const { targets, suffix, secretsFile, dryRun } = options
  const toml = readFileSync('wrangler.toml', 'utf8')
  const secrets = secretsFile === undefined ? {} : readSecrets(secretsFile)
  checkInput(options, toml, secrets)

  step('resources: D1 database, KV namespace, queues; made where they are missing')
  const { isNew, ...ids } = makeResources(options)
  const configuration = deployedConfiguration(toml, { ...options, ...ids })
  writeFileSync(CONFIG, JSON.stringify(configuration, null, 2))

  step('secrets: each Worker has those that it needs, deployed before or in --secrets-file')
  checkSecrets(options, secrets)

  step('the database is new, or of this version or one before it')
  if (!dryRun && !isNew) await appliedMigrations(openRemote(suffix).db)
  say(dryRun ? 'its migrations are read' : 'it is')

  step('a bookmark of the database, to go back to')
  tellBookmark(options, isNew)

  step('migrations, applied in order')
  const where = ['--config', CONFIG, '--env', targets[0]!.env]
  perform(dryRun, ['d1', 'migrations', 'apply', DATABASE + suffix, '--remote', ...where])

  for (const target of targets) {
    step(`deploy ${workerName(target.env, suffix)}`)
    deployWorker(target, secretsFor(target, secrets), scratch, dryRun)
  }
  say(dryRun ? 'dry run: nothing was touched' : 'deployed')
  say(`its history: npm run admin -- backfill --remote${suffix && ` --suffix ${suffix.slice(1)}`}`)
  const [origin] = originsOf(toml, { ...options, ...ids }).split(',')
  say(`whether it holds: npm run verify -- ${origin} --wait ${isNew ? 1200 : 180}`)
}

function checkInput(options: DeployOptions, toml: string, secrets: Record<string, string>): void {
  const { targets, vars } = options
  refuse('these cannot be used', [
    ...unknownVars(toml, vars).map((name) => `${name} is no variable of wrangler.toml`),
    ...variableProblems(toml, { ...DRY_IDS, ...options }, targets),
    ...secretProblems(targets, secrets),
    ...(originsOf(toml, { ...DRY_IDS, ...options }) ? [] : [NO_ORIGIN]),
  ])
}

/** The identifiers of the database and the namespace, and whether the database was made just now. */
function makeResources({ targets, suffix, dryRun }: DeployOptions) {
  const queues = QUEUES.map((name) => name + suffix)
  if (dryRun) {
    say([DATABASE + suffix, namespaceTitle(suffix), ...queues].join(', '))
    return { ...DRY_IDS, isNew: false }
  }
  const { id: databaseId, isNew } = ensureDatabase(suffix, say)
  const { id: namespaceId } = ensureNamespace(suffix, say)
  ensureQueues(suffix, say)

  // Workers of another form of the service that still consume our queues.
  const ours = targets.map(({ env }) => workerName(env, suffix))
  const strangers = queues.flatMap((queue) => {
    const consumer = consumerOf(queue)
    if (consumer === undefined || ours.includes(consumer)) return []
    return `${consumer} has ${queue}: wrangler queues consumer worker remove ${queue} ${consumer}`
  })
  refuse('a queue has one consumer (docs/deploy.md, "From standalone")', strangers)
  return { databaseId, namespaceId, isNew }
}

function checkSecrets({ targets, dryRun }: DeployOptions, secrets: Record<string, string>): void {
  const deployed = new Map(
    targets.map((target) => {
      const asks = !dryRun && target.secrets.length > 0
      return [target, asks ? namesDeployed(CONFIG, target) : []]
    }),
  )
  const missing = missingSecrets(
    targets,
    (target, name) => name in secrets || deployed.get(target)!.includes(name),
  )
  if (missing.length === 0) return say('all there')
  if (!dryRun) refuse('secrets are missing; put them in a file and give --secrets-file', missing)

  say('needed, unless deployed already:')
  for (const line of missing) say(`  ${line}`)
}

function tellBookmark({ suffix, dryRun }: DeployOptions, isNew: boolean): void {
  const database = DATABASE + suffix
  if (isNew) return say('none: the database is new')
  if (dryRun) say(`$ wrangler d1 time-travel info ${database}`)

  const info = ['d1', 'time-travel', 'info', database, '--json', '--config', CONFIG]
  const bookmark = (JSON.parse(wrangler(info)) as { bookmark: string }).bookmark
  say(`to go back: wrangler d1 time-travel restore ${database} --bookmark=${bookmark}`)
}

function deployWorker(
  { env }: Target,
  secrets: Record<string, string>,
  scratch: Scratch,
  dryRun: boolean,
): void {
  const file = scratch.file(`${env}.json`)
  writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 })
  const given = Object.keys(secrets).length > 0 ? ['--secrets-file', file] : []
  const args = ['deploy', '--config', CONFIG, '--env', env, '--minify']
  perform(dryRun, [...args, ...given])
  if (dryRun) wrangler([...args, '--dry-run'])
}

/** Runs a command and shows what it prints; in a dry run shows the command alone. */
function perform(dryRun: boolean, args: string[]): void {
  if (dryRun) say(`$ wrangler ${args.join(' ')}`)
  else console.log(wrangler(args))
}

function refuse(what: string, problems: readonly string[]): void {
  if (problems.length === 0) return
  throw new CommandError([`${what}:`, ...problems.map((line) => `  ${line}`)].join('\n'))
}
