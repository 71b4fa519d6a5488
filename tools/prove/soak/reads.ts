import { argentineDay } from '../../../shared/argentine-time.ts'
import { type Pair, PAIRS } from '../../../shared/market/catalog.ts'
import type { Client } from './client.ts'
import type { Random } from '../../support/random.ts'
import type { Findings } from '../harness/findings.ts'

const today = () => `/api/v2/date/${argentineDay(Date.now())}`

/** The paths of each kind of read, for a pair. */
const PATHS = {
  current: ({ currency, origin }: Pair) => [
    `/api/v2/${currency}/${origin}`,
    `/api/${currency}/${origin}`,
  ],
  list: ({ currency }: Pair) => ['/api/v2/quotes', `/api/v2/${currency}`, `/api/${currency}`],
  date: ({ currency, origin }: Pair) => [today(), `${today()}/${currency}/${origin}`],
  history: ({ currency, origin }: Pair) => [
    `/api/v2/${currency}/${origin}/history?limit=500`,
    `/api/v2/history/${currency}/${origin}`,
  ],
  status: () => ['/api/v2/status'],
  page: ({ currency, origin }: Pair) => ['/', `/${currency}/${origin}`.toLowerCase()],
}
const WEIGHTS = { current: 8, list: 4, date: 2, history: 1, status: 1, page: 1 }
/** Kinds whose clients have a limit. */
const LIMITED = ['date', 'history']

export async function readSomething(
  request: Client,
  random: Random,
  findings: Findings,
  key: string,
): Promise<void> {
  const kind = random.weighed(WEIGHTS)
  const path = random.pick(PATHS[kind](random.pick(PAIRS)))
  const answer = await request('GET', path, kind === 'history' ? { key } : {})
  // `request` checks each 503.
  const allowed = [200, 503, ...(LIMITED.includes(kind) ? [429] : [])]
  if (answer && !allowed.includes(answer.status))
    findings.add('unexpected status', `GET ${path}: ${answer.status}`)
}
