/** What surrounds the service: a market, receivers with certificates, and its owners' keys. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { admin } from '../harness/service.ts'
import { createAuthority } from '../harness/authority.ts'
import type { Chance } from '../harness/chance.ts'
import { type FaultyMarket, openFaultyMarket } from './market.ts'
import type { PostLog } from './posts.ts'
import { type FaultyReceiver, openFaultyReceiver } from './receiver.ts'

/** Seconds between two cycles. */
const EVERY = 5

/** Few enough to run out while receivers are ill, so that webhooks wait in `capacity` at times. */
const CAPACITY = 30

/** Retries that end: four attempts within half a minute. */
const WAITS = '2,4,8'

/** The owner’s own destination, which no account has, and what it follows. */
const SYSTEM_HOST = 'sistema.soak.example.com'
const SYSTEM_PAIRS = 'USD/MAYORISTA,USD/CCL'

const HOSTS = ['uno', 'dos', 'tres', 'cuatro', 'cinco'].map((name) => `${name}.soak.example.com`)

export interface World {
  market: FaultyMarket
  receivers: FaultyReceiver[]
  hosts: readonly string[]
  /** The arguments and the environment of the service. */
  args: string[]
  env: Record<string, string>
}

export async function openWorld(
  stack: AsyncDisposableStack,
  options: { chance: Chance; seed: number; log: PostLog; stateDir: string },
): Promise<World> {
  const { chance, seed, log, stateDir } = options
  const authority = createAuthority()
  const authorityFile = join(stateDir, 'authority.pem')
  writeFileSync(authorityFile, authority.own.cert)

  const market = stack.use(
    await openFaultyMarket(chance.fork('market'), { seed, stepMs: EVERY * 1000 }),
  )
  const receivers: FaultyReceiver[] = []
  const every = [...HOSTS, SYSTEM_HOST]
  for (const host of every) {
    const certificate = authority.issue([host])
    receivers.push(stack.use(await openFaultyReceiver(certificate, chance.fork(host), log)))
  }

  return {
    market,
    receivers,
    hosts: HOSTS,
    args: [
      '--every',
      String(EVERY),
      '--upstream',
      market.url,
      '--var',
      `DELIVERY_WAITS=${WAITS}`,
      '--var',
      `DELIVERY_CAPACITY=${CAPACITY}`,
      '--var',
      `SYSTEM_WEBHOOK_URL=https://${SYSTEM_HOST}/hook`,
      '--var',
      `SYSTEM_WEBHOOK_PAIRS=${SYSTEM_PAIRS}`,
      ...every.flatMap((host, index) => [
        '--receiver',
        `${host}=127.0.0.1:${receivers[index]!.port}`,
      ]),
    ],
    env: { NODE_EXTRA_CA_CERTS: authorityFile },
  }
}

/** The key that the first start made. */
export function localKey(stateDir: string): string {
  return readFileSync(join(stateDir, 'local-key'), 'utf8').trim()
}

/** Makes an account and its key, as an operator does. */
export async function createOwnerKey(stateDir: string, email: string): Promise<string> {
  const at = ['--state', stateDir]
  await admin(['account', 'create', email, ...at])
  return (await admin(['key', 'create', email, 'soak', ...at])).stdout.trim()
}

/** Runs the audit; `ok` is false when an invariant is. */
export async function audit(stateDir: string): Promise<{ ok: boolean; text: string }> {
  const { code, output } = await admin(['audit', '--state', stateDir])
  return { ok: code === 0, text: output }
}
