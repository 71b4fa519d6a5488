import { fork } from 'node:child_process'
import { join } from 'node:path'
import { createAuthority } from '../../support/authority.ts'
import { receiverOptions } from '../../support/receiver.ts'
import { openScratch } from '../../support/scratch.ts'
import type { Bench, Figure } from './report.ts'

export const delivery: Bench = {
  name: 'delivery',
  method:
    'deliveries through queue, claim, sign, POST and settle: the delivery Worker under workerd with a ' +
    'loopback TLS receiver, beside what does only the POST or only the rows, by turns in one run; rows ' +
    'are what D1 counted, over the attempts. A change is made in workerd too, as the scraper makes it, ' +
    'and its time begins before its batch',
  run: benchDelivery,
}

/** Runs in a separate process, because trusted authorities are read once, at its start. */
async function benchDelivery(progress: (line: string) => void): Promise<Figure[]> {
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
      child.send(authority.own)
    })
  } finally {
    child.kill()
  }
}
