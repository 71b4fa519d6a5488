import { fork } from 'node:child_process'
import { join } from 'node:path'
import { createAuthority } from '../../support/authority.ts'
import { receiverOptions } from '../../support/receiver.ts'
import { openScratch } from '../../support/scratch.ts'
import type { Bench, BenchOptions, Figure } from './bench.ts'
import type { RunOrder } from './delivery/run.ts'

export const delivery: Bench = {
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
  const child = fork(join(import.meta.dirname, 'delivery/run.ts'), {
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
