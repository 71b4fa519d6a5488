import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkLog, checkReads } from '../../../../tools/prove/fuzz/after.ts'
import { Findings } from '../../../../tools/prove/harness/findings.ts'
import { walkDocuments } from '../../../../tools/prove/fuzz/openapi/walk.ts'
import { runRequests } from '../../../../tools/prove/fuzz/run.ts'
import { startTarget } from '../../../../tools/prove/fuzz/service.ts'
import { Wire } from '../../../../tools/prove/fuzz/wire/wire.ts'
import { Fixtures } from '../../../../tools/prove/fuzz/fixtures/fixtures.ts'
import type { Service } from '../../../../tools/prove/harness/service.ts'

/** The short form of `npm run fuzz`: one seed, so that a failure is the same every time. */
const SEED = 20261121
const REQUESTS = 250

let service: Service
let fixtures: Fixtures

beforeAll(async () => {
  service = await startTarget(300)
  fixtures = await Fixtures.open(service, { keyed: 3, sessions: 3 })
})
afterAll(() => service[Symbol.asyncDispose]())

it('answers every operation of its OpenAPI documents as they declare', async () => {
  const { url } = service
  const accounts = fixtures.keyed
  const walk = { url, accounts, seed: SEED, valid: 2, wrong: 3, concurrency: 2 }
  const { rows, findings } = await walkDocuments(walk)
  expect(findings.list()).toEqual([])
  expect(Object.entries(rows).filter(([, { seen }]) => !/\b20\d/.test(seen))).toEqual([])
})

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
    const wire = new Wire(Number(new URL(service.url).port))
    const request = { method: 'GET', target, headers: [], body: Buffer.from('{}') } as const
    const exchange = await wire.exchange({ ...request, framing: 'chunked' })
    wire.close()
    expect(exchange).toMatchObject({ kind: 'answered', answer: { status: expect.any(Number) } })
    if (exchange.kind === 'answered') expect(exchange.answer.status).toBeLessThan(500)
  },
)

it('reads are right afterwards, and the log tells of nothing unforeseen', async () => {
  const findings = new Findings()
  await checkReads(service.url, findings)
  checkLog(service.errors() + service.lines.join('\n'), fixtures.secrets(), findings)
  expect(findings.list()).toEqual([])
})
