import * as z from 'zod'
import { check, type Check, keyed, LeftOut, type Scene } from '../check.ts'
import { expectAnswer, expectError, readJson, that } from '../expect.ts'
import { candles, historyPoint, keyCheck } from '../forms.ts'

const CHECK = '/api/v2/auth/check'
/** The quota a minute of webhook management and the key check together. */
const MANAGEMENT_LIMIT = 30
/** Time enough to use up a minute's quota before the minute ends. */
const WINDOW_SECONDS = 15

const PRIVATE = {
  'Cache-Control': 'no-store',
  'RateLimit-Limit': /^\d+$/,
  'RateLimit-Remaining': /^\d+$/,
  'RateLimit-Reset': /^[1-9]\d*$/,
}

export const bearer = (key: string) => ({ Authorization: `Bearer ${key}` })

export const keyChecks: Check[] = [
  check(
    'gate: 401 without a key, with one that is none, and with one in the query',
    async ({ ask }) => {
      const refusal = { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } }
      for (const path of [
        CHECK,
        '/api/v2/usd/oficial/history',
        '/api/v2/webhooks',
        '/api/v2/webhooks/deliveries',
        `${CHECK}?api_key=cot_aaaaaaaa`,
      ])
        expectError(path, await ask(path), refusal)
      const odd = await ask(CHECK, { headers: bearer('no-es-una-clave') })
      expectError('a key that is none', odd, refusal)
    },
  ),
  keyed(
    'gate: the key in either header, with quota headers; two that differ are 401',
    async (scene) => {
      const { ask } = scene
      const key = scene.key!
      const first = await askWithRoom(scene)
      readJson('the key check', first, keyCheck, { headers: PRIVATE })
      const other = await ask(CHECK, { headers: { 'x-api-key': key } })
      readJson('the key check by x-api-key', other, keyCheck, { headers: PRIVATE })
      const both = await ask(CHECK, { headers: { ...bearer(key), 'x-api-key': `${key}x` } })
      expectError('two keys that differ', both, { status: 401 })
    },
  ),
  keyed(
    'history: points newest first, a limit, CSV, and 400 for what cannot be asked',
    async ({ ask, key }) => {
      const path = '/api/v2/usd/oficial/history'
      const headers = bearer(key!)
      const points = readJson(
        path,
        await ask(`${path}?limit=2`, { headers }),
        z.array(historyPoint),
        {
          headers: PRIVATE,
        },
      )
      that(points.length <= 2, `${path}?limit=2 has ${points.length} points`)
      const times = points.map(({ createdAt }) => Date.parse(createdAt))
      that(times.length < 2 || times[0]! > times[1]!, `${path} is not newest first`)
      const csv = await ask(`${path}?format=csv`, { headers })
      expectAnswer(`${path}?format=csv`, csv, { status: 200, type: 'text/csv' })
      const odd = await ask(`${path}?limit=501`, { headers })
      expectError(`${path}?limit=501`, odd, { status: 400 })
    },
  ),
  keyed('history: daily candles', async ({ ask, key }) => {
    const path = '/api/v2/history/usd/oficial?limit=3'
    const answer = await ask(path, { headers: bearer(key!) })
    const { points } = readJson(path, answer, candles, { headers: PRIVATE })
    that(points.length <= 3, `${path} has ${points.length} candles`)
    for (const { date, open, high, low, close } of points) {
      const holds = low <= Math.min(open, close) && high >= Math.max(open, close)
      that(holds, `${path}: ${date} opens or closes outside its range`)
    }
  }),
]

/**
 * Every change of state relies on this: in a batch of D1, `changes()` tells what the statement
 * before it did. The gate is such a batch (shared/db/accounts/quotas.ts): it counts the key, adds
 * `changes()` to the day, and admits only where `changes()` is then 1. If it were 0 after a count,
 * no key would pass. If it were 1 after a count that changed nothing, a key without quota would
 * pass. So this uses up the minute's quota to the last request and sends two more. It costs the key
 * the rest of its minute of management, so it is the last check.
 */
export const changesCheck = keyed(
  'D1: changes() holds between the statements of a batch: the quota is exact, then it holds',
  async (scene) => {
    const headers = bearer(scene.key!)
    const first = await askWithRoom(scene)
    expectAnswer('the key check', first, { status: 200, headers: PRIVATE })
    if (Number(first.headers.get('RateLimit-Limit')) !== MANAGEMENT_LIMIT)
      throw new LeftOut('another limit is tighter than the minute’s management')

    let left = Number(first.headers.get('RateLimit-Remaining'))
    while (left > 0) {
      left -= 1
      const answer = await scene.ask(CHECK, { headers })
      expectAnswer(`the key check with ${left + 1} left`, answer, {
        status: 200,
        headers: { 'RateLimit-Remaining': String(left) },
      })
    }
    for (const which of ['first', 'second']) {
      const answer = await scene.ask(CHECK, { headers })
      const refused = { 'Retry-After': /^[1-9]\d?$/, 'RateLimit-Remaining': '0' }
      expectError(`the ${which} beyond the quota`, answer, { status: 429, headers: refused })
    }
  },
)

/** The key check, in a minute that has time left: the present one or the next. */
async function askWithRoom({ ask, key, sleep }: Scene) {
  const headers = bearer(key!)
  const answer = await ask(CHECK, { headers })
  const isOut = answer.status === 429
  const seconds = Number(answer.headers.get(isOut ? 'Retry-After' : 'RateLimit-Reset'))
  if (!isOut && seconds > WINDOW_SECONDS) return answer

  await sleep((Math.min(seconds, 60) + 1) * 1000)
  return ask(CHECK, { headers })
}
