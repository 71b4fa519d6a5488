/** The surroundings of the service: a market, receivers with certificates, and keys of owners. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { admin } from '../harness/service.ts'
import { createAuthority } from '../../support/authority.ts'
import type { Random } from '../../support/random.ts'
import { receiverOptions } from '../../support/receiver.ts'
import { openFaultyMarket } from './market.ts'
import type { PostLog } from './posts.ts'
import { openFaultyReceiver } from './receiver.ts'

const EVERY = 5

/** The destination of the system, which no account has. */
const SYSTEM_HOST = 'sistema.soak.example.com'

const VARS = {
  // Retries that end: four attempts within half a minute.
  DELIVERY_WAITS: '2,4,8',
  // So few that it runs out while receivers fail, and webhooks wait in `capacity`.
  DELIVERY_CAPACITY: '30',
  SYSTEM_WEBHOOK_URL: `https://${SYSTEM_HOST}/hook`,
  SYSTEM_WEBHOOK_PAIRS: 'USD/MAYORISTA,USD/CCL',
}

const HOSTS = ['uno', 'dos', 'tres', 'cuatro', 'cinco'].map((name) => `${name}.soak.example.com`)

export async function openFixtures(
  stack: AsyncDisposableStack,
  { random, seed, log, stateDir }: { random: Random; seed: number; log: PostLog; stateDir: string },
) {
  const authority = createAuthority()
  const step = { seed, stepMs: EVERY * 1000 }
  const market = stack.use(await openFaultyMarket(random.fork('market'), step))
  const faulty = [market] as { calm(): void }[]
  const ports: Record<string, number> = {}
  for (const host of [...HOSTS, SYSTEM_HOST]) {
    const certificate = authority.issue([host])
    const receiver = stack.use(await openFaultyReceiver(certificate, random.fork(host), log))
    faulty.push(receiver)
    ports[host] = receiver.port
  }

  const vars = Object.entries(VARS).flatMap(([name, value]) => ['--var', `${name}=${value}`])
  const { args, env } = receiverOptions(authority, stateDir, ports)
  return {
    market,
    hosts: HOSTS,
    args: ['--every', String(EVERY), '--upstream', market.url, ...vars, ...args],
    env,
    /** Ends all faults, and all movement of the market. */
    calm() {
      for (const each of faulty) each.calm()
    },
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
