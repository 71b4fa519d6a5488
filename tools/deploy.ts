/**
 * `npm run deploy -- [--standalone] [--suffix staging] [--secrets-file FILE] [--dry-run]`: makes what
 * is missing on Cloudflare, applies the migrations and deploys each Worker after what it needs.
 * `--dry-run` prints the steps and bundles every Worker, and touches nothing.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { deployedConfiguration } from './deploy/configuration.ts'
import { BUNDLE_LIMITS, DATABASE, DISTRIBUTED, STANDALONE, type Target } from './deploy/plan.ts'
import { ensureDatabase, ensureNamespace, ensureQueues } from './deploy/resources.ts'
import { missingSecrets, namesDeployed, namesInFile } from './deploy/secrets.ts'
import { wrangler } from './deploy/wrangler.ts'

/** Beside wrangler.toml, because the paths in it are relative to it. Not committed. */
const CONFIG = 'wrangler.deploy.json'

const { values: options } = parseArgs({
  options: {
    standalone: { type: 'boolean', default: false },
    suffix: { type: 'string', default: '' },
    'secrets-file': { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
  },
})

try {
  if (!/^[a-z0-9]*$/.test(options.suffix)) throw new Error('--suffix is a word: staging')
  main(options.standalone ? STANDALONE : DISTRIBUTED)
} catch (error) {
  console.error(`error: ${(error as Error).message}`)
  process.exitCode = 1
} finally {
  rmSync(CONFIG, { force: true })
}

function main(targets: readonly Target[]): void {
  const suffix = options.suffix && `-${options.suffix}`
  const dryRun = options['dry-run']
  const step = createSteps()

  step('resources: D1 database, KV namespace, queues; made where they are missing')
  const resources = dryRun
    ? { databaseId: 'dry-run', namespaceId: 'dry-run' }
    : {
        databaseId: ensureDatabase(suffix, say),
        namespaceId: ensureNamespace(suffix, say),
      }
  if (!dryRun) ensureQueues(suffix, say)
  const configuration = deployedConfiguration(readFileSync('wrangler.toml', 'utf8'), {
    ...resources,
    suffix,
  })
  writeFileSync(CONFIG, JSON.stringify(configuration, null, 2))

  step('secrets: each Worker has those that it needs, deployed before or in --secrets-file')
  checkSecrets(targets, dryRun)

  step('bundles: every Worker builds, within its size')
  for (const target of targets) say(checkBundle(target))

  step('a bookmark of the database, to go back to: wrangler d1 time-travel restore')
  const database = DATABASE + suffix
  if (!dryRun) wrangler(['d1', 'time-travel', 'info', database, '--config', CONFIG], { show: true })

  step('migrations, applied in order')
  if (!dryRun) {
    const env = targets[0]!.env
    wrangler(
      ['d1', 'migrations', 'apply', database, '--remote', '--config', CONFIG, '--env', env],
      { show: true },
    )
  }

  for (const { env } of targets) {
    step(`deploy ${env}`)
    if (dryRun) continue

    const file = options['secrets-file']
    const secrets = file ? ['--secrets-file', file] : []
    wrangler(['deploy', '--config', CONFIG, '--env', env, '--minify', ...secrets], { show: true })
  }
  say(dryRun ? 'dry run: nothing was touched' : 'deployed')
}

function checkSecrets(targets: readonly Target[], dryRun: boolean): void {
  const inFile = options['secrets-file'] ? namesInFile(options['secrets-file']) : []
  const deployed = new Map<Target, string[]>()
  for (const target of targets) {
    deployed.set(target, dryRun || target.secrets.length === 0 ? [] : namesDeployed(CONFIG, target))
  }
  const missing = missingSecrets(
    targets,
    (target, name) => inFile.includes(name) || deployed.get(target)!.includes(name),
  )
  if (missing.length === 0) return say('all there')

  const list = missing.map((line) => `  ${line}`).join('\n')
  if (dryRun) return say(`needed, unless deployed already:\n${list}`)
  throw new Error(
    `secrets are missing; put them in a file of NAME=value lines and give --secrets-file:\n${list}`,
  )
}

/** Builds a Worker without uploading it; its size, or an error when it is over its limit. */
function checkBundle({ env }: Target): string {
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'))
  try {
    wrangler([
      'deploy',
      '--dry-run',
      '--config',
      CONFIG,
      '--env',
      env,
      '--minify',
      '--outdir',
      folder,
    ])
    const kib = gzipSync(readFileSync(join(folder, 'index.js'))).length / 1024
    const limit = BUNDLE_LIMITS[env]
    if (kib > limit) throw new Error(`bundle of ${env}: ${kib.toFixed(1)} KiB gzip, over ${limit}`)
    return `${env}: ${kib.toFixed(1)} KiB gzip of ${limit}`
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function createSteps() {
  let number = 0
  return (title: string) => console.log(`${++number}. ${title}`)
}

function say(line: string): void {
  console.log(`   ${line}`)
}
