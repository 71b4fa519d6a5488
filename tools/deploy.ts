/**
 * `npm run deploy -- [--standalone] [--suffix staging] [--domain HOST]… [--var NAME=VALUE]…
 * [--secrets-file FILE] [--no-verify] [--dry-run]`: makes what is missing on Cloudflare, applies the
 * migrations, deploys each Worker after what it needs and asks the service whether it holds. `--dry-run` prints the steps with their commands and
 * bundles every Worker, and touches nothing. docs/deploy.md tells the whole of it.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkBundle } from './deploy/check-bundle.ts'
import { deployedConfiguration, unknownVars, variableProblems } from './deploy/configuration.ts'
import { type DeployOptions, readOptions } from './deploy/options.ts'
import { DATABASE, FRONTS, namespaceTitle, QUEUES, type Target, workerName } from './deploy/plan.ts'
import { consumerOf, ensureDatabase, ensureNamespace, ensureQueues } from './deploy/resources.ts'
import {
  missingSecrets,
  namesDeployed,
  readSecrets,
  secretProblems,
  secretsFor,
} from './deploy/secrets.ts'
import { addressIn, type Deployed, verifyDeployed } from './deploy/verify.ts'
import { workersDevName } from './deploy/workers-dev.ts'
import { wrangler } from './deploy/wrangler.ts'

/** Beside wrangler.toml, because the paths in it are relative to it. Not committed. */
const CONFIG = 'wrangler.deploy.json'

/** In the place of the account's identifiers, where nothing is deployed. */
const DRY_IDS = { databaseId: 'dry-run', namespaceId: 'dry-run' }

const step = createSteps()

try {
  const options = readOptions(process.argv.slice(2))
  const deployed = await deployAndTidy(options)
  if (options.verify) {
    step('verify: the deployed service is asked whether it holds')
    await verifyDeployed({ ...deployed, ...options.verify, dryRun: options.dryRun }, say)
  }
} catch (error) {
  console.error(`error: ${(error as Error).message}`)
  process.exitCode = 1
}

/** Nothing is left in files while the verification waits, secrets least of all. */
async function deployAndTidy(options: DeployOptions): Promise<Deployed> {
  // Secrets on their way to wrangler, readable by this user only.
  const scratch = mkdtempSync(join(tmpdir(), 'deploy-'))
  try {
    return await deploy(options, scratch)
  } finally {
    rmSync(CONFIG, { force: true })
    rmSync(scratch, { recursive: true })
  }
}

async function deploy(options: DeployOptions, scratch: string): Promise<Deployed> {
  const { targets, suffix, domains, vars, secretsFile, dryRun } = options
  const toml = readFileSync('wrangler.toml', 'utf8')
  const database = DATABASE + suffix
  const queues = QUEUES.map((name) => name + suffix)
  const secrets = secretsFile === undefined ? {} : readSecrets(secretsFile)
  refuse('these cannot be used', [
    ...unknownVars(toml, vars).map((name) => `${name} is no variable of wrangler.toml`),
    ...variableProblems(toml, { ...DRY_IDS, suffix, domains, vars }, targets),
    ...secretProblems(targets, secrets),
  ])

  step('resources: D1 database, KV namespace, queues; made where they are missing')
  let isNew = false
  let ids = DRY_IDS
  if (dryRun) say([database, namespaceTitle(suffix), ...queues].join(', '))
  else {
    const made = ensureDatabase(suffix, say)
    isNew = made.isNew
    ids = { databaseId: made.id, namespaceId: ensureNamespace(suffix, say).id }
    ensureQueues(suffix, say)
    refuse('a queue has one consumer (docs/deploy.md, "From standalone")', strangers())
  }
  // Not worth a deployment: the host that a management request came to is our own anyway.
  const workersDev = dryRun ? undefined : await workersDevName().catch(() => undefined)
  const changes = { suffix, domains, vars, workersDev }
  const configuration = deployedConfiguration(toml, { ...ids, ...changes })
  writeFileSync(CONFIG, JSON.stringify(configuration, null, 2))

  step('secrets: each Worker has those that it needs, deployed before or in --secrets-file')
  checkSecrets()

  step('bundles: every Worker builds, within its size')
  for (const target of targets) say(checkBundle(CONFIG, target))

  step('a bookmark of the database, to go back to')
  if (dryRun) {
    say(`$ wrangler d1 time-travel info ${database}`)
    say(`to go back: wrangler d1 time-travel restore ${database} --bookmark=…`)
  } else if (isNew) say('none: the database is new')
  else say(`to go back: wrangler d1 time-travel restore ${database} --bookmark=${bookmark()}`)

  step('migrations, applied in order')
  const where = ['--config', CONFIG, '--env', targets[0]!.env]
  perform(['d1', 'migrations', 'apply', database, '--remote', ...where])

  let address = domains[0] && `https://${domains[0]}`
  for (const target of targets) {
    step(`deploy ${workerName(target.env, suffix)}`)
    const own = secretsFor(target, secrets)
    const file = join(scratch, `${target.env}.json`)
    writeFileSync(file, JSON.stringify(own), { mode: 0o600 })
    const given = Object.keys(own).length > 0 ? ['--secrets-file', file] : []
    const printed = perform([
      'deploy',
      '--config',
      CONFIG,
      '--env',
      target.env,
      '--minify',
      ...given,
    ])
    if (FRONTS.includes(target.env)) address ??= addressIn(printed)
  }
  say(dryRun ? 'dry run: nothing was touched' : 'deployed')
  say(`its history: npm run admin -- backfill --remote${suffix && ` --suffix ${suffix.slice(1)}`}`)

  return { url: address, isNew }

  /** Runs a command and shows what it prints, or shows the command alone. */
  function perform(args: string[]): string {
    if (dryRun) {
      say(`$ wrangler ${args.join(' ')}`)
      return ''
    }
    const printed = wrangler(args)
    console.log(printed)
    return printed
  }

  /** Workers of another form of the service that still consume our queues. */
  function strangers(): string[] {
    const ours = targets.map(({ env }) => workerName(env, suffix))
    return queues.flatMap((queue) => {
      const consumer = consumerOf(queue)
      if (consumer === undefined || ours.includes(consumer)) return []
      return `${consumer} has ${queue}: wrangler queues consumer worker remove ${queue} ${consumer}`
    })
  }

  function bookmark(): string {
    const told = wrangler(['d1', 'time-travel', 'info', database, '--json', '--config', CONFIG])
    return (JSON.parse(told) as { bookmark: string }).bookmark
  }

  function checkSecrets(): void {
    const deployed = new Map<Target, string[]>()
    for (const target of targets) {
      const asks = !dryRun && target.secrets.length > 0
      deployed.set(target, asks ? namesDeployed(CONFIG, target) : [])
    }
    const missing = missingSecrets(
      targets,
      (target, name) => name in secrets || deployed.get(target)!.includes(name),
    )
    if (missing.length === 0) return say('all there')
    if (!dryRun) refuse('secrets are missing; put them in a file and give --secrets-file', missing)

    say('needed, unless deployed already:')
    for (const line of missing) say(`  ${line}`)
  }
}

/** Ends with the list of what is wrong, when there is anything. */
function refuse(what: string, problems: readonly string[]): void {
  if (problems.length === 0) return
  throw new Error([`${what}:`, ...problems.map((line) => `  ${line}`)].join('\n'))
}

function createSteps() {
  let number = 0
  return (title: string) => console.log(`${++number}. ${title}`)
}

function say(line: string): void {
  console.log(`   ${line}`)
}
