import { argentineDay } from '../../../shared/argentine-time.ts'
import { PAIRS } from '../../../shared/market/catalog.ts'
import type { Ask } from './ask.ts'
import type { Random } from '../../support/random.ts'
import type { Findings } from '../harness/findings.ts'

/** Statuses that a read may have; `ask` judges each 503. */
const ALLOWED: Readonly<Record<string, readonly number[]>> = {
  current: [200, 503],
  list: [200, 503],
  date: [200, 429, 503],
  history: [200, 429, 503],
  status: [200, 503],
  page: [200, 503],
}

const KINDS = { current: 8, list: 4, date: 2, history: 1, status: 1, page: 1 } as const

export async function readSomething(
  ask: Ask,
  random: Random,
  findings: Findings,
  key: string,
): Promise<void> {
  const kind = random.weighed(KINDS)
  const path = pathOf(kind, random)
  const answer = await ask('GET', path, kind === 'history' ? { key } : {})
  if (answer && !ALLOWED[kind]!.includes(answer.status))
    findings.add('unexpected status', `GET ${path}: ${answer.status}`)
}

function pathOf(kind: keyof typeof KINDS, random: Random): string {
  const { currency, origin } = random.pick(PAIRS)
  switch (kind) {
    case 'current':
      return random.pick([`/api/v2/${currency}/${origin}`, `/api/${currency}/${origin}`])
    case 'list':
      return random.pick(['/api/v2/quotes', `/api/v2/${currency}`, `/api/${currency}`])
    case 'date': {
      const day = argentineDay(Date.now())
      return random.pick([`/api/v2/date/${day}`, `/api/v2/date/${day}/${currency}/${origin}`])
    }
    case 'history':
      return random.pick([
        `/api/v2/${currency}/${origin}/history?limit=500`,
        `/api/v2/history/${currency}/${origin}`,
      ])
    case 'status':
      return '/api/v2/status'
    case 'page':
      return random.pick(['/', `/${currency}/${origin}`.toLowerCase()])
  }
}
