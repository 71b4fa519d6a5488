/** One soak: the hour of chance, the calm after it, and everything that was seen. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createAsk } from './ask.ts'
import { type Chance, createChance } from '../harness/chance.ts'
import type { Seen, StoredDelivery } from './compare.ts'
import { queryState } from './database.ts'
import { Counts } from '../harness/counts.ts'
import { Findings } from '../harness/findings.ts'
import { MemoryLog } from '../harness/memory.ts'
import { Owner } from './owner.ts'
import { PostLog } from './posts.ts'
import { readSomething } from './reads.ts'
import { Service } from '../harness/service.ts'
import { audit, createOwnerKey, localKey, openWorld } from './world.ts'

export interface SoakOptions {
  minutes: number
  seed: number
  stateDir: string
  progress(line: string): void
}

export interface SoakResult {
  seen: Seen
  findings: Findings
  log: PostLog
  audit: { ok: boolean; text: string }
  memory: MemoryLog
  /** Requests that were answered, by status. */
  statuses: Counts
  startsMs: readonly number[]
  /** How the kills went, and what was counted along the way, for the report. */
  kills: Counts
  told: Record<string, string>
}

const OWNERS = 3
const WEBHOOKS_EACH = 5

/** Between two turns of one owner: two requests each stay under thirty a minute. */
const TURN_MS = [4_500, 7_500] as const
const READ_MS = 200

/** Times that the audit runs beside the service. */
const AUDITS = 6

const SAMPLE_MS = 2_000

/** Lines of the service that tell of trouble: counted for the report. */
const TROUBLE = /"event":"(\w*(?:failed|broke|dead_letters|malformed)\w*)"|^(error): |(SQLITE_BUSY)/

/** Mean time between two kills; short runs have at least three. */
const KILL_MS = 150_000

/** A SIGKILL takes the process and its runtime, or the process alone, whose guard ends the other. */
const HOW = { all: 2, parent: 1 } as const

/** How many kills wait for a POST to be under way, and how long: between it and what follows it. */
const AIMED = 0.7
const AIM_MS = 10_000

/** How often a start is killed too, and when. */
const KILL_AT_START = 0.25
const START_KILL_MS = [1_000, 15_000] as const

/** How long what was accepted may take to end, once nothing fails any more. */
const DRAIN_MS = 4 * 60_000

export async function soak(options: SoakOptions): Promise<SoakResult> {
  const { minutes, seed, stateDir, progress } = options
  const spanMs = minutes * 60_000
  const chance = createChance(seed)
  const findings = new Findings()
  const log = new PostLog()
  const [statuses, acts, kills] = [new Counts(), new Counts(), new Counts()]
  const cut: string[][] = []

  await using stack = new AsyncDisposableStack()
  const world = await openWorld(stack, { chance, seed, log, stateDir })
  const trouble = new Counts()
  const service = new Service(world.args, {
    stateDir,
    env: world.env,
    onError: (line) => noteTrouble(trouble, line),
  })
  stack.defer(() => service.destroy())
  const ask = createAsk(service, findings, statuses)

  await service.start()
  const owners = await createOwners()
  progress(`${OWNERS} owners with ${WEBHOOKS_EACH} webhooks each; the service is at ${service.url}`)

  const from = Date.now()
  const memory = new MemoryLog(from, spanMs)
  const ending = new AbortController()
  const isOver = () => ending.signal.aborted
  const pause = (ms: number) => sleep(ms, null, { signal: ending.signal }).catch(() => {})
  setTimeout(() => ending.abort(), spanMs)

  const key = localKey(stateDir)
  let audits = 0
  await Promise.all([
    killing(chance.fork('kill')).catch((error: unknown) => {
      // What was seen until then is worth its report.
      findings.add('end', String(error))
      ending.abort()
    }),
    repeatedly(() => READ_MS, reading(chance.fork('reads'))),
    repeatedly(
      () => SAMPLE_MS,
      async () => memory.sample(service.workerdPid, Date.now()),
    ),
    repeatedly(() => spanMs / AUDITS, auditBeside),
    ...owners.map((owner, index) => {
      const own = chance.fork(`turns ${index}`)
      return repeatedly(
        () => own.between(...TURN_MS),
        () => owner.act(),
      )
    }),
  ])

  progress('calm: nothing fails and no value changes any more')
  world.market.calm()
  for (const receiver of world.receivers) receiver.calm()
  if (!service.isUp) await service.start()
  await drain()
  if (service.deaths > 0) findings.add('died', `${service.deaths} times`)
  await service.stop()
  log.settle()
  progress('stopped; audit')

  return {
    seen: { deliveries: storedDeliveries(), posts: log.posts, cut, accepted: tests() },
    findings,
    log,
    audit: await audit(stateDir),
    memory,
    statuses,
    startsMs: service.startsMs,
    kills,
    told: {
      'audits beside the service': String(audits),
      'sources failed': String(world.market.faults),
      'receivers answered': String(log.answers),
      signatures: String(log.verdicts),
      'owners did': String(acts),
      'the service told of': String(trouble),
    },
  }

  async function createOwners(): Promise<Owner[]> {
    const owners: Owner[] = []
    for (let index = 0; index < OWNERS; index += 1) {
      const key = await createOwnerKey(stateDir, `owner-${index}@example.com`)
      const deps = { ask, log, acts, hosts: world.hosts, chance: chance.fork(`owner ${index}`) }
      const owner = new Owner(deps, key)
      await owner.createWebhooks(WEBHOOKS_EACH)
      owners.push(owner)
    }
    return owners
  }

  async function repeatedly(wait: () => number, job: () => Promise<void>): Promise<void> {
    while (!isOver()) {
      await job()
      await pause(wait())
    }
  }

  function reading(own: Chance): () => Promise<void> {
    return () => readSomething(ask, own, findings, key)
  }

  /** Operators audit beside the running service; what it says of one that is killed meanwhile is void. */
  async function auditBeside(): Promise<void> {
    const { epoch } = service
    if (!service.isUp || Date.now() - from < spanMs / AUDITS / 2) return
    const { ok, text } = await audit(stateDir)
    if (!service.isUp || service.epoch !== epoch) return

    audits += 1
    if (!ok)
      findings.add(
        'audit beside',
        text
          .split('\n')
          .filter((line) => !line.startsWith('ok '))
          .join('; '),
      )
  }

  async function killing(own: Chance): Promise<void> {
    const mean = Math.min(KILL_MS, spanMs / 4)
    while (true) {
      await pause(Math.min(-Math.log(1 - own.next()) * mean, mean * 3))
      if (own.happens(AIMED)) {
        await Promise.race([log.next(), pause(AIM_MS)])
        await sleep(own.between(0, 30))
      }
      if (isOver()) return

      const what = own.weighed(HOW)
      await service.kill(what)
      kills.add(what)
      cut.push(inFlight())
      progress(`killed (${what}) with ${cut.at(-1)!.length} attempts under way`)
      await pause(own.between(0, 4000))
      while (own.happens(KILL_AT_START)) {
        await service.startAndKill(own.between(...START_KILL_MS), own.weighed(HOW))
        kills.add('at a start')
      }
      await service.start()
    }
  }

  /** What was being sent when it died: nobody else writes now. */
  function inFlight(): string[] {
    const sql = `select delivery_id as id from deliveries where status = 'sending'`
    return queryState<{ id: string }>(stateDir, sql).map(({ id }) => id)
  }

  async function drain(): Promise<void> {
    const open = `select (select count(*) from deliveries where status in
        ('pending', 'sending', 'failed'))
      + (select count(*) from webhooks where state = 'active' and needs_sync = 1
        and synced_revision <> revision) as waiting`
    const end = Date.now() + DRAIN_MS
    let quiet = 0
    // Twice in a row: the last cycle that saw a moving market may still be writing.
    while (quiet < 2 && Date.now() < end) {
      await sleep(6000)
      const [row] = queryState<{ waiting: number }>(stateDir, open)
      quiet = row!.waiting === 0 ? quiet + 1 : 0
      progress(`${row!.waiting} wait`)
    }
    if (quiet < 2) findings.add('not drained', 'deliveries or syncs still wait')
  }

  function storedDeliveries(): StoredDelivery[] {
    return queryState<StoredDelivery>(
      stateDir,
      `select id, delivery_id as deliveryId, webhook_id as webhookId, type, status, attempts
       from deliveries`,
    )
  }

  function tests(): string[] {
    return owners.flatMap((owner) => owner.tests)
  }
}

function noteTrouble(trouble: Counts, line: string): void {
  const [, event, error, busy] = TROUBLE.exec(line) ?? []
  const what = event ?? error ?? busy
  if (what) trouble.add(what)
}
