/** `npm run bench`: what operations cost, against what they may cost. */
import { Command } from '@commander-js/extra-typings'
import { cycle } from './bench/cycle.ts'
import { edge } from './bench/edge.ts'
import { requests } from './bench/requests.ts'
import {
  isGood,
  printResults,
  type Bench,
  rounded,
  type BenchOptions,
  type Figure,
} from './bench/bench.ts'
import { startup } from './bench/startup.ts'
import { whole } from '../support/arguments.ts'
import { runTasks } from './harness/tasks.ts'
import { bundleSize } from '../operate/deploy/wrangler.ts'
import { BUNDLE_LIMITS, DISTRIBUTED } from '../operate/deploy/plan.ts'
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { createAuthority } from '../support/authority.ts'
import { receiverOptions } from '../support/receiver.ts'
import { openScratch } from '../support/scratch.ts'
import type { RunOrder } from './bench/delivery/run.ts'

const bundles: Bench = {
  name: 'bundles',
  summary: 'the bundle of each Worker, gzip',
  method:
    'every module of `wrangler deploy --dry-run --minify` together, gzip at its default level',
  run: async ({ progress }) =>
    DISTRIBUTED.map(({ env }) => {
      progress(env)
      const value = rounded(bundleSize(env))
      return { name: `bundle of ${env}, gzip`, value, unit: 'KiB', atMost: BUNDLE_LIMITS[env] }
    }),
}

const delivery: Bench = {
  name: 'delivery',
  summary:
    'deliveries through queue, claim, sign, POST and settle, beside the POST and the rows alone',
  method:
    'the delivery Worker under workerd with a loopback TLS receiver, and a Worker that does only the ' +
    'POST or only the rows, by turns in one run; rows are what D1 counted, over the attempts. A change is made ' +
    'in workerd too, as the scraper makes it, and its time begins before its batch',
  run: benchDelivery,
}

/** Runs in a separate process, because trusted authorities are read once, at its start. */
async function benchDelivery({ points, progress }: BenchOptions): Promise<Figure[]> {
  using scratch = openScratch()
  const authority = createAuthority()
  const { env } = receiverOptions(authority, scratch.path, {})
  const child = fork(join(import.meta.dirname, 'bench/delivery/run.ts'), {
    env: { ...process.env, ...env },
  })
  try {
    return await new Promise((resolve, reject) => {
      child.on('message', (said: string | Figure[]) =>
        typeof said === 'string' ? progress(said) : resolve(said),
      )
      child.once('exit', (code) => reject(new Error(`the measuring process ended with ${code}`)))
      child.send({ points, authority: authority.own } satisfies RunOrder)
    })
  } finally {
    child.kill()
  }
}

const command = new Command('npm run bench --').addOption(
  whole('--points <N>', 'finished deliveries in the larger table', 1, 1e9),
)
const tasks = [edge, bundles, startup, requests, cycle, delivery]
await runTasks({ command, tasks, isGood, print: printResults })
