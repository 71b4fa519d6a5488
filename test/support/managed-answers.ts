/** What every operation behind the gate answers, whatever it does. */
import { MINUTE_MS } from '../../shared/argentine-time.ts'
import { seedAccount } from './accounts.ts'
import { type Documented, pathOf } from './documented.ts'
import { openEdge } from './edge.ts'
import { failing } from './failing-database.ts'
import type { seeEveryAnswer } from './seen-answers.ts'
import { ALERTS, type Answer, NOW, times } from './webhook-client.ts'

/** The gate, other methods, bad bodies where there is one, and the quota, on each operation. */
export async function expectManaged(
  operations: readonly Documented[],
  expectAnswer: ReturnType<typeof seeEveryAnswer>,
  values: Record<string, string>,
): Promise<void> {
  const { key } = await seedAccount()
  const headers = { 'x-api-key': key }
  const edge = openEdge({ now: NOW })
  const broken = openEdge({ now: NOW, env: { DB: failing('down') } as never })
  const ask = (operation: Documented, init: RequestInit = {}, at = edge) =>
    at.fetch(pathOf(operation, values), { method: operation.method, headers, ...init })

  for (const operation of operations) {
    edge.clock.now += MINUTE_MS
    await expectAnswer(operation, await ask(operation, { headers: {} }), 401)
    await expectAnswer(operation, await ask(operation, {}, broken), 503)
    await expectAnswer(operation, await ask(operation, { method: 'PUT' }), 405)
    if (!operation.requestBody) continue
    const send = (body: string, type: string) =>
      ask(operation, { body, headers: { ...headers, 'Content-Type': type } })
    await expectAnswer(operation, await send('{"otro":1}', 'application/json'), 400)
    await expectAnswer(operation, await send(' '.repeat(20_000), 'application/json'), 413)
    await expectAnswer(operation, await send('{}', 'text/plain'), 415)
  }

  await times(30, () => edge.fetch(ALERTS, { headers }))
  for (const operation of operations) await expectAnswer(operation, await ask(operation), 429)
}

/** The client has read the answer: this is it again, whole. */
export function rebuilt({ status, headers, text }: Answer): Response {
  return new Response(text, { status, headers })
}
