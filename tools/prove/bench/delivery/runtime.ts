import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { openKeyring, seal } from '../../../../shared/crypto/sealed-box.ts'
import { type PairKey, findPairByKey } from '../../../../shared/market/catalog.ts'
import type { Authority } from '../../../support/authority.ts'
import { processorMsOf } from '../../../support/process.ts'
import { openScratch } from '../../../support/scratch.ts'
import { KEYS, openDeliveryWorker } from '../../harness/delivery-worker.ts'
import { insertRows } from '../../harness/rows.ts'
import type { Spent } from '../measured.ts'
import type { Arrival } from './receiver.ts'
import type { Change } from './worker.ts'

export type DeliveryRuntime = Awaited<ReturnType<typeof openDeliveryRuntime>>

/**
 * The delivery Worker in workerd, with the queue settings of wrangler.toml, and a receiver of
 * these names on loopback with a certificate of an authority that the runtime trusts.
 */
export async function openDeliveryRuntime(names: string[], authority: Authority) {
  const scratch = openScratch()
  // A separate process, so that it takes no time from the sender.
  const receiver = fork(join(import.meta.dirname, 'receiver.ts'))
  receiver.send(authority.issue(names))
  const [port] = (await once(receiver, 'message')) as [number]
  const place = { address: '127.0.0.1', port }

  const worker = await openDeliveryWorker({
    folder: scratch.path,
    source: join(import.meta.dirname, 'worker.ts'),
    receivers: Object.fromEntries(names.map((name) => [name, place])),
  })
  const ask = async <Answer>(path: string, body: object | string | null = null) => {
    const url = new URL(path, worker.url)
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${path} answered ${response.status}`)
    return (await response.json()) as Answer
  }

  return {
    db: worker.db,
    /** Makes a change of a pair in workerd, which the webhooks of the pair follow. */
    change: (pair: PairKey) => ask<Change>('/change', pair),
    /** What D1 has counted since the last `change`. */
    spent: () => ask<Spent>('/spent'),
    /** Milliseconds of processor time of workerd with D1 and the queue. */
    processorMs: () => processorMsOf(worker.pid()),
    /**
     * Whether a delivery is open. Asked inside workerd: `db.prepare` here blocks this process, and
     * workerd waits for it to read its log, so the two could wait for each other.
     */
    hasOpen: () => ask<boolean>('/open'),
    /** The arrivals since the last call. */
    async arrivals(): Promise<Arrival[]> {
      receiver.send('arrivals')
      const [list] = (await once(receiver, 'message')) as [Arrival[]]
      return list
    },
    async [Symbol.asyncDispose]() {
      await worker[Symbol.asyncDispose]()
      receiver.kill()
      scratch[Symbol.dispose]()
    },
  }
}

/** Active webhooks of a pair, distributed over the hosts in turn. */
export async function seedFollowers(
  db: D1Database,
  pair: PairKey,
  count: number,
  hosts: readonly string[],
): Promise<void> {
  const keyring = openKeyring(KEYS)
  const rows = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const id = crypto.randomUUID()
      const host = hosts[index % hosts.length]!
      const sealed = (column: string, text: string) =>
        seal(keyring, { table: 'subscriptions', column, id }, text)
      const url = await sealed('url_sealed', `https://${host}/hook?token=hidden`)
      return { id, host, url, secret: await sealed('secret_sealed', 'ab'.repeat(32)) }
    }),
  )
  const columns = {
    id: `value ->> 'id'`,
    account_id: `'seeded'`,
    pair: '?2',
    destination: `'https://' || (value ->> 'host') || '/***'`,
    url_sealed: `value ->> 'url'`,
    secret_sealed: `value ->> 'secret'`,
    created_at: '?3',
  }
  await db
    .prepare(insertRows('subscriptions', columns, 'from json_each(?1)'))
    .bind(JSON.stringify(rows), findPairByKey(pair)!.id, Date.now())
    .run()
}
