/** Checks that compare the database with the board in KV, or that open sealed fields. */
import { readPublishedBoard } from '../../../../shared/board/board.ts'
import type { Keyring } from '../../../../shared/crypto/sealed-box.ts'
import {
  boardQuote,
  currentQuotes,
  currentQuotesStatement,
  historyRevisionStatement,
} from '../../../../shared/db/quotes/quotes.ts'
import { openFields } from '../../../../shared/subscriptions/sealed-fields.ts'
import type { SealedFields } from '../../../../shared/db/subscriptions.ts'
import { maskDestination } from '../../../../shared/webhooks/destination/destination.ts'
import { type Check, foundBroken } from './check.ts'

/** For a minute after a cycle, KV may still serve the previous board. */
const UNSEEN_MS = 2 * 60_000

/** The maximum age of the previous board. If a cycle fails to publish, the next cycle publishes. */
const LAG_MS = 10 * 60_000

export const boardCheck: Check = {
  name: 'the board shows every current row as it is',
  async run({ db, kv, now, asOf }) {
    const board = await readPublishedBoard(kv)
    const quotes = currentQuotes(await currentQuotesStatement(db).all())
    if (!board)
      return foundBroken(
        quotes.length,
        quotes.map(({ pair }) => `${keyOf(pair)} has no board`),
      )

    const recorded = Math.max(0, ...quotes.map(({ lastScrapedAt }) => lastScrapedAt))
    const lag = recorded - board.generatedAt
    if (lag > 0 && lag < LAG_MS && now - recorded < UNSEEN_MS)
      return { notChecked: 'a cycle has just ended, and KV does not show its board yet' }

    const revision = await historyRevisionStatement(db).first<number>('revision')
    if (revision !== (board.historyRevision ?? null) && asOf - board.generatedAt < LAG_MS)
      return { notChecked: 'history was corrected, which the board shows after the next cycle' }

    const shown = new Map(board.quotes.map((quote) => [keyOf(quote), quote]))
    const broken = quotes.filter(({ pair, ...quote }) => {
      const is = shown.get(keyOf(pair))
      const expected = boardQuote({ pair, ...quote }, is?.held ?? false)
      return JSON.stringify(is) !== JSON.stringify(expected)
    })
    for (const { pair } of quotes) shown.delete(keyOf(pair))
    return foundBroken(quotes.length, [
      ...broken.map(({ pair }) => keyOf(pair)),
      ...[...shown.keys()].map((key) => `${key} without a current row`),
    ])
  },
}

function keyOf({ currency, origin }: { currency: string; origin: string }): string {
  return `${currency}/${origin}`
}

type SealedRow = SealedFields & { id: string; destination: string | null }

/** The URL must match its masked destination, and the secret must have 64 digits. */
const sealedCheck: Check = {
  name: 'every sealed field opens, and is what its subscription says',
  async run({ db, keyring }) {
    if (!keyring) return { notChecked: 'give KEY_ENCRYPTION_KEYS' }

    const { results } = await db
      .prepare(
        `select id, destination, url_sealed as url, authorization_sealed as "authorization",
           secret_sealed as secret from subscriptions`,
      )
      .all<SealedRow>()
    const broken: string[] = []
    for (const row of results) if (!(await opens(keyring, row))) broken.push(row.id)
    return foundBroken(results.length, broken)
  },
}

async function opens(keyring: Keyring, { id, destination, ...sealed }: SealedRow) {
  const opened = await openFields(keyring, id, sealed)
  if (!opened || !/^[0-9a-f]{64}$/.test(opened.secret)) return false

  const { url } = opened
  return url === null
    ? destination === null
    : URL.canParse(url) && maskDestination(url) === destination
}

export const documentChecks: readonly Check[] = [sealedCheck, boardCheck]
