/** One soak: the hour of faults, the calm after it, and everything that was seen. */
import { setTimeout as sleep } from 'node:timers/promises'
import { MemoryLog } from '../harness/memory.ts'
import type { Seen } from './compare.ts'
import { openContext, type SoakContext, type SoakOptions } from './context.ts'
import { audit, createOwnerKey, localKey } from './fixtures.ts'
import { countWaiting, killAtRandom, storedDeliveries } from './service.ts'
import { Owner } from './owner.ts'
import { readSomething } from './reads.ts'

export type SoakResult = Awaited<ReturnType<typeof soak>>

const OWNERS = 3
const WEBHOOKS_EACH = 5

/** Between two turns of one owner: two requests each stay under thirty a minute. */
const TURN_MS = [4_500, 7_500] as const
const READ_MS = 200

const AUDITS = 6

const SAMPLE_MS = 2_000

/** How long what was accepted may take to end, once nothing fails any more. */
const DRAIN_MS = 4 * 60_000

export async function soak(options: SoakOptions) {
  await using stack = new AsyncDisposableStack()
  const context = await openContext(stack, options)
  const { service, findings, fixtures, log, cut, stateDir, progress } = context
  await service.start()
  const owners = await createOwners(context)
  progress(`${OWNERS} owners with ${WEBHOOKS_EACH} webhooks each; the service is at ${service.url}`)

  const during = await disturb(context, owners)

  progress('calm: nothing fails and no value changes any more')
  fixtures.calm()
  if (!service.isUp) await service.start()
  await drain(context)
  if (service.deaths > 0) findings.add('died', `${service.deaths} times`)
  await service.stop()
  progress('stopped; audit')

  const accepted = owners.flatMap((owner) => owner.tests)
  return {
    ...context,
    ...during,
    seen: { deliveries: storedDeliveries(stateDir), posts: log.posts, cut, accepted } as Seen,
    audit: await audit(stateDir),
  }
}

async function createOwners(context: SoakContext): Promise<Owner[]> {
  const owners: Owner[] = []
  for (let index = 0; index < OWNERS; index += 1) {
    const key = await createOwnerKey(context.stateDir, `owner-${index}@example.com`)
    const owner = new Owner({ ...context, random: context.random.fork(`owner ${index}`) }, key)
    await owner.createWebhooks(WEBHOOKS_EACH)
    owners.push(owner)
  }
  return owners
}

/** The hour: owners, readers, auditors and kills at once. */
async function disturb(context: SoakContext, owners: readonly Owner[]) {
  const { minutes, random, service, findings, request, stateDir } = context
  const spanMs = minutes * 60_000
  const memory = new MemoryLog(Date.now(), spanMs)
  const key = localKey(stateDir)
  const ending = new AbortController()
  const { signal } = ending
  setTimeout(() => ending.abort(), spanMs)

  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {})
  const repeat = async (waitMs: () => number, job: () => unknown): Promise<void> => {
    for (; !signal.aborted; await pause(waitMs())) await job()
  }
  let audits = 0
  const auditEvery = spanMs / AUDITS
  const [reads, kills] = [random.fork('reads'), random.fork('kill')]
  await Promise.all([
    killAtRandom(context, kills, { ending: signal, pause }).catch((error: unknown) => {
      // What was seen until then is still reported.
      findings.add('end', String(error))
      ending.abort()
    }),
    repeat(
      () => READ_MS,
      () => readSomething(request, reads, findings, key),
    ),
    repeat(
      () => SAMPLE_MS,
      () => memory.sample(service.workerdPid, Date.now()),
    ),
    pause(auditEvery).then(() =>
      repeat(
        () => auditEvery,
        async () => (audits += await auditBeside(context)),
      ),
    ),
    ...owners.map((owner, index) => {
      const turns = random.fork(`turns ${index}`)
      return repeat(
        () => turns.between(...TURN_MS),
        () => owner.act(),
      )
    }),
  ])
  return { memory, audits }
}

/**
 * An audit beside the running service. One that a kill interrupts does not count. Returns 1 or 0.
 */
async function auditBeside({ service, findings, stateDir }: SoakContext): Promise<number> {
  const { epoch } = service
  if (!service.isUp) return 0
  const { ok, text } = await audit(stateDir)
  if (!service.isUp || service.epoch !== epoch) return 0

  const broken = text.split('\n').filter((line) => !line.startsWith('ok '))
  if (!ok) findings.add('audit beside', broken.join('; '))
  return 1
}

async function drain({ stateDir, findings, progress }: SoakContext): Promise<void> {
  const end = Date.now() + DRAIN_MS
  let quiet = 0
  // Twice in a row: the last cycle that saw a moving market may still be writing.
  while (quiet < 2 && Date.now() < end) {
    await sleep(6000)
    const waiting = countWaiting(stateDir)
    quiet = waiting === 0 ? quiet + 1 : 0
    progress(`${waiting} wait`)
  }
  if (quiet < 2) findings.add('not drained', 'deliveries or syncs still wait')
}
