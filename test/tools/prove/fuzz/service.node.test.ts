import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkLog, checkReads } from '../../../../tools/prove/fuzz/after.ts'
import { Findings } from '../../../../tools/prove/harness/findings.ts'
import { runRequests } from '../../../../tools/prove/fuzz/run.ts'
import { startTarget } from '../../../../tools/prove/fuzz/service.ts'
import { exchange } from '../../../../tools/prove/fuzz/wire/wire.ts'
import { Fixtures } from '../../../../tools/prove/fuzz/fixtures/fixtures.ts'
import type { Service } from '../../../../tools/prove/harness/service.ts'

/** The short form of `npm run fuzz`: one seed, so that a failure is the same every time. */
const SEED = 20261121
const REQUESTS = 500

let service: Service
let fixtures: Fixtures

beforeAll(async () => {
  service = await startTarget(300)
  fixtures = await Fixtures.open(service, { keyed: 3, sessions: 3 })
})
afterAll(() => service[Symbol.asyncDispose]())

it('answers what a grammar makes over every public input as the contract says', async () => {
  const { tally, findings } = await runRequests({
    url: service.url,
    fixtures,
    requests: REQUESTS,
    seed: SEED,
    concurrency: 4,
    progress: () => {},
  })
  expect(findings.list()).toEqual([])
  expect(tally.table([])['all']).toBeDefined()
})

it.each(['/cuenta/entrar', '/api/account', '/cuenta/webhooks', '/api/v2/usd/blue', '/api/mcp'])(
  'takes no harm from a GET that brings a body: %s',
  async (target) => {
    const port = Number(new URL(service.url).port)
    const request = { method: 'GET', target, headers: [], body: Buffer.from('{}') } as const
    const result = await exchange(port, { ...request, framing: 'chunked' })
    expect(result).toMatchObject({ kind: 'answered', answer: { status: expect.any(Number) } })
    if (result.kind === 'answered') expect(result.answer.status).toBeLessThan(500)
  },
)

it('reads are right afterwards, and the log tells of nothing unforeseen', async () => {
  const findings = new Findings()
  await checkReads(service.url, findings)
  checkLog(service.errors() + service.lines.join('\n'), fixtures.secrets(), findings)
  expect(findings.list()).toEqual([])
})
