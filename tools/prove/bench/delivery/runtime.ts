import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { openKeyring, seal } from '../../../../shared/crypto/sealed-box.ts'
import { type PairKey, findPairByKey } from '../../../../shared/market/catalog.ts'
import { migrate } from '../../../operate/local/migrate.ts'
import { buildWorker } from '../../../operate/start/build.ts'
import { openRuntime } from '../../../operate/start/runtime.ts'
import { createAuthority } from '../../../support/authority.ts'
import { openScratch } from '../../../support/scratch.ts'
import { insertRows } from '../../harness/rows.ts'
import type { Arrival } from './receiver.ts'
import type { Change } from './worker.ts'

export type DeliveryRuntime = Awaited<ReturnType<typeof openDeliveryRuntime>>

/** The keyring that seals the webhooks of the bench, which contain no real secrets. */
const KEYS = `bench:${Buffer.alloc(32, 'bench').toString('base64')}`

/** The runtime of `npm start`, with a loopback receiver for these names that the runtime trusts. */
export async function openDeliveryRuntime(names: string[]) {
  const scratch = openScratch()
  const authority = createAuthority()
  setDefaultCACertificates([...getCACertificates(), authority.own.cert])
  // A separate process, so that the receiver takes no CPU time from the sender.
  const receiver = fork(join(import.meta.dirname, 'receiver.ts'))
  receiver.send(authority.issue(names))
  const [port] = (await once(receiver, 'message')) as [number]

  const runtime = await openRuntime({
    host: '127.0.0.1',
    port: 0,
    stateDir: scratch.path,
    build: buildWorker(join(import.meta.dirname, 'worker.ts')),
    bindings: {
      WEBHOOK_ADMISSION: 'open',
      KEY_ENCRYPTION_KEYS: KEYS,
      LOCAL_RECEIVERS: JSON.stringify(names),
    },
    receivers: Object.fromEntries(names.map((name) => [name, { address: '127.0.0.1', port }])),
    mailTransport: null,
    print: () => {},
  })
  const { db } = runtime
  await migrate(db)

  return {
    db,
    /** Changes a pair in workerd, which creates a delivery for each webhook of the pair. */
    async change(pair: PairKey): Promise<Change> {
      const response = await fetch(runtime.url, { method: 'POST', body: pair })
      if (!response.ok) throw new Error(`the change answered ${response.status}`)
      return (await response.json()) as Change
    },
    async hasOpen(): Promise<boolean> {
      const open = `select 1 from deliveries where status in ('pending', 'sending', 'failed') limit 1`
      return (await db.prepare(open).first()) !== null
    },
    /** The arrivals since the last call. */
    async arrivals(): Promise<Arrival[]> {
      receiver.send('arrivals')
      const [list] = (await once(receiver, 'message')) as [Arrival[]]
      return list
    },
    async [Symbol.asyncDispose]() {
      await runtime[Symbol.asyncDispose]()
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
