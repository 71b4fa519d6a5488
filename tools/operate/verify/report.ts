import { setTimeout as sleep } from 'node:timers/promises'
import { createSender } from '../../support/http-client.ts'
import { until } from '../../support/until.ts'
import { type Found, verify } from './verify.ts'

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
