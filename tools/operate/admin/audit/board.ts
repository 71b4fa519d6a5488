import { setTimeout as sleep } from 'node:timers/promises'
import { BOARD_KEY, parseBoard } from '../../../../shared/board/board.ts'
import { boardQuote } from '../../../../shared/db/quotes/quotes.ts'
import { readCurrentQuotes } from '../current-quotes.ts'
import { type Check, type Finding, foundBroken, type Scope } from './check.ts'

/**
 * The board is published moments after the database is written, and KV may serve an older one for a
 * minute. So a board that looks wrong is read again while a service runs.
 */
const LOOKS = 3
const PAUSE_MS = 1000

/**
 * For how long after a cycle its board may not be visible, and how old the visible one may be then.
 */
const UNSEEN_MS = 2 * 60_000
const LAG_MS = 10 * 60_000

/** When a cycle died before it published its board, the next cycle publishes. */
export const boardCheck: Check = {
  name: 'the board shows every current row as it is',
  async run(scope) {
    const looks = isWorking(scope) ? LOOKS : 1
    for (let look = 1; ; look += 1) {
      const finding = await lookOnce(scope)
      if (finding.kind === 'not checked' || finding.broken === 0 || look === looks) return finding
      await sleep(PAUSE_MS)
    }
  },
}

/** Days that the law or the built-in table closes and the public archive of holidays does not have. */
export const calendarCheck: Check = {
  name: 'the public archive of holidays has every holiday of the calendar',
  async run({ kv }) {
    const { lacking = [] } = parseBoard(await kv.get(BOARD_KEY)) ?? {}
    if (lacking.length === 0) return foundBroken(1, [])
    return { kind: 'not checked', why: `it lacks ${lacking.join(', ')}, which stay closed` }
  },
}

async function lookOnce(scope: Scope): Promise<Finding> {
  const { db, kv } = scope
  const board = parseBoard(await kv.get(BOARD_KEY))
  const quotes = await readCurrentQuotes(db)
  if (!board)
    return foundBroken(
      quotes.length,
      quotes.map(({ pair }) => `${keyOf(pair)} has no board`),
    )

  const recorded = Math.max(0, ...quotes.map(({ lastScrapedAt }) => lastScrapedAt))
  const lag = recorded - board.generatedAt
  if (isWorking(scope) && lag > 0 && lag < LAG_MS && scope.now - recorded < UNSEEN_MS)
    return { kind: 'not checked', why: 'a cycle has just ended and its board is not seen yet' }

  const shown = new Map(board.quotes.map((quote) => [keyOf(quote), quote]))
  const broken = quotes.filter(({ pair, ...quote }) => {
    const is = shown.get(keyOf(pair))
    return JSON.stringify(is) !== JSON.stringify(boardQuote({ pair, ...quote }, is?.held ?? false))
  })
  for (const { pair } of quotes) shown.delete(keyOf(pair))
  return foundBroken(quotes.length, [
    ...broken.map(({ pair }) => keyOf(pair)),
    ...[...shown.keys()].map((key) => `${key} without a current row`),
  ])
}

function isWorking({ now, asOf }: Scope): boolean {
  return asOf === now
}

function keyOf({ currency, origin }: { currency: string; origin: string }): string {
  return `${currency}/${origin}`
}
