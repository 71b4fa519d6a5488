import { fork } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAuthority } from '../harness/authority.ts'
import type { Bench, BenchOptions, Figure } from './bench.ts'
import type { RunOrder } from './delivery/run.ts'

export const delivery: Bench = {
  name: 'delivery',
  summary: 'deliveries through queue, claim, sign, POST and settle, beside the bare transport',
  method:
    'the delivery Worker under workerd with a loopback TLS receiver, and the bare transport that does ' +
    'only the POST, by turns in one run; rows are what D1 counted, over the attempts',
  run: benchDelivery,
}

/** In a process of its own: the authorities to trust are read once, when that one starts. */
async function benchDelivery({ points, progress }: BenchOptions): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-authority-'))
  const authority = createAuthority().own
  const file = join(folder, 'authority.pem')
  writeFileSync(file, authority.cert)

  const child = fork(join(import.meta.dirname, 'delivery/run.ts'), {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: file },
  })
  try {
    return await new Promise((resolve, reject) => {
      child.on('message', (said: string | Figure[]) =>
        typeof said === 'string' ? progress(said) : resolve(said),
      )
      child.once('exit', (code) => reject(new Error(`the measuring process ended with ${code}`)))
      child.send({ points, authority } satisfies RunOrder)
    })
  } finally {
    child.kill()
    rmSync(folder, { recursive: true })
  }
}
