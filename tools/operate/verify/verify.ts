import { setTimeout as sleep } from 'node:timers/promises'
import { createSender } from '../../support/http-client.ts'
import { until } from '../../support/until.ts'
import { Broken, type Check, LeftOut, type Scene } from './check.ts'
import { currentChecks } from './checks/current.ts'
import { dateChecks } from './checks/dates.ts'
import { errorChecks } from './checks/errors.ts'
import { changesCheck, keyChecks } from './checks/keys.ts'
import { pageChecks } from './checks/pages.ts'
import { serviceChecks } from './checks/service.ts'
import { createWebhookChecks } from './checks/webhooks.ts'

export interface Found {
  name: string
  outcome: 'ok' | 'broken' | 'left out'
  detail?: string
}

export function allChecks(): Check[] {
  return [
    ...currentChecks,
    ...dateChecks,
    ...errorChecks,
    ...serviceChecks,
    ...pageChecks,
    ...keyChecks,
    ...createWebhookChecks(),
    changesCheck,
  ]
}

/** Checks everything of a service, one check after the other, and hands over each result as it comes. */
export async function verify(
  scene: Scene,
  onResult: (found: Found) => void,
  checks = allChecks(),
): Promise<Found[]> {
  const all: Found[] = []
  for (const check of checks) {
    const found = { name: check.name, ...(await outcomeOf(check, scene)) }
    all.push(found)
    onResult(found)
  }
  return all
}

async function outcomeOf(check: Check, scene: Scene): Promise<Omit<Found, 'name'>> {
  if (check.needsKey && scene.key === undefined)
    return { outcome: 'left out', detail: 'it needs --key' }
  try {
    await check.run(scene)
    return { outcome: 'ok' }
  } catch (error) {
    const { message } = error as Error
    if (error instanceof LeftOut) return { outcome: 'left out', detail: message }
    if (error instanceof Broken) return { outcome: 'broken', detail: message }
    return { outcome: 'broken', detail: `no answer (${reasonOf(error as Error)})` }
  }
}

/** `fetch failed` alone does not say what failed. */
function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message : message
}

const MARKS = { ok: 'ok  ', broken: 'FAIL', 'left out': '-   ' } as const
const BETWEEN_TRIES_MS = 5_000

interface VerifyOptions {
  url: string
  key: string | undefined
  /** How long a fresh deployment may take until its reads answer. */
  waitSeconds: number
}

/** Verifies a service and prints a line for each check. Returns whether no check failed. */
export async function reportOn(
  { url, key, waitSeconds }: VerifyOptions,
  print: (line: string) => void,
): Promise<boolean> {
  await untilReadsAnswer(url, waitSeconds, print)
  const scene = {
    ask: createSender(url),
    key,
    now: Date.now,
    newId: () => crypto.randomUUID(),
    sleep: async (milliseconds: number) => {
      print(`      waiting ${Math.ceil(milliseconds / 1000)} s for the key's next minute`)
      await sleep(milliseconds)
    },
  }
  const all = await verify(scene, (found) => print(lineOf(found)))
  const count = (outcome: Found['outcome']) =>
    all.filter((found) => found.outcome === outcome).length
  print(`${count('ok')} hold, ${count('broken')} fail, ${count('left out')} left out`)
  return count('broken') === 0
}

function lineOf({ name, outcome, detail }: Found): string {
  if (detail === undefined) return `${MARKS[outcome]}  ${name}`
  return `${MARKS[outcome]}  ${name}: ${outcome === 'left out' ? 'left out, ' : ''}${detail}`
}

/** Waits for the first cycle, a new name or a certificate. Goes on when the time is over. */
async function untilReadsAnswer(url: string, seconds: number, print: (line: string) => void) {
  if (seconds === 0) return
  const ask = createSender(url)
  const answers = () =>
    ask('/api/v2/quotes').then(
      ({ status }) => status === 200,
      () => false,
    )
  if (await answers()) return

  print(`      waiting up to ${seconds} s until ${url} has quotes`)
  const patience = { everyMs: BETWEEN_TRIES_MS, atMostMs: seconds * 1000, failure: 'no quotes' }
  await until(answers, patience).catch(() => {})
}
