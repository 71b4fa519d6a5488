import { Findings } from '../../harness/findings.ts'
import type { FuzzAccount } from '../fixtures/account.ts'
import type { HttpResponse } from '../../../support/http-client.ts'
import { answerProblems } from './problems.ts'
import { CaseSender } from './case-sender.ts'
import { type Case, type CaseOptions, casesOf } from './cases.ts'
import { type Described, readDocuments } from './described.ts'

interface WalkOptions extends CaseOptions {
  url: string
  accounts: readonly FuzzAccount[]
  concurrency: number
}

/** What came of an operation; `not seen` are the declared statuses that no case caused. */
const NOTHING = { cases: 0, seen: '', 'not seen': '' }

/**
 * Sends every operation of the served documents values that its schemas accept and values that they
 * refuse. Each answer must be declared, each example must work, and nothing wrong may be accepted.
 */
export async function walkDocuments({ url, accounts, concurrency, ...options }: WalkOptions) {
  const findings = new Findings()
  const rows: Record<string, typeof NOTHING> = {}
  const sender = new CaseSender(url, accounts)

  const all = await readDocuments(url)
  for (const { operation } of all) rows[operation.operationId] = { ...NOTHING }
  const left = [...all]
  await Promise.all(Array.from({ length: concurrency }, work))
  return { rows, findings }

  async function work(): Promise<void> {
    for (let next = left.pop(); next; next = left.pop()) await walkOne(next)
  }

  async function walkOne(described: Described): Promise<void> {
    const { operation, document } = described
    const { operationId, responses } = operation
    const cases = casesOf(described, options)
    const seen = new Set<number>()
    for (const given of cases) {
      const { response, curl } = await sender.send(described, given)
      seen.add(response.status)
      const problems = [
        ...answerProblems(operation, document, response),
        ...expectationProblems(given, response),
      ]
      for (const problem of problems)
        findings.add(`${operationId}: ${problem}`, () => describe(given, response, curl))
    }
    rows[operationId] = {
      cases: cases.length,
      seen: [...seen].toSorted((a, b) => a - b).join(' '),
      'not seen': Object.keys(responses)
        .filter((status) => !seen.has(Number(status)))
        .join(' '),
    }
  }
}

function expectationProblems(given: Case, { status, headers }: HttpResponse): string[] {
  const { expects, name, accept } = given
  if (accept && !headers.get('Content-Type')?.startsWith(accept))
    return [`${name}: it is answered as ${headers.get('Content-Type')}`]
  if (expects === 'works' && status >= 300) return [`${name}: it does not work, but ${status}`]
  if (expects === 'refused' && status < 400) return [`${name}: it is accepted, ${status}`]
  return []
}

function describe({ name }: Case, { status, text }: HttpResponse, curl: string): string {
  return `${name}\n${curl}\n${status}: ${text.slice(0, 300)}`
}
