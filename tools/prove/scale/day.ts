/** A working day of changes: which pairs change in which cycle, and how many webhooks follow each. */
import { sum } from 'simple-statistics'
import { dayStart, SECOND_MS } from '../../../shared/argentine-time.ts'
import { type PairKey, pairKey, PAIRS } from '../../../shared/market/catalog.ts'
import { isOpen, pairRhythm } from '../../../shared/market/market-hours.ts'
import { CHANGES_A_DAY } from '../cost/month.ts'
import { createRandom } from '../../support/random.ts'

const CYCLES = 288
export const CYCLE_SECONDS = 300

/** A Tuesday on which banks and exchanges work. */
const DAY = '2026-11-24'

/**
 * Changes of a year, seen hourly from April 2024 to March 2025 (docs/storage.md). Pairs that those
 * series lack have the figure of the one they move with, or of a daily value.
 */
const CHANGES_OF_YEAR: Readonly<Partial<Record<PairKey, number>>> = {
  'USD/OFICIAL': 451,
  'USD/BNA': 451,
  'USD/BLUE': 489,
  'USD/MAYORISTA': 262,
  'USD/BOLSA': 1445,
  'USD/CCL': 1391,
  'USD/CRIPTO': 2946,
  'USD/TARJETA': 447,
  'USD/FUTURO': 1391,
  'EUR/OFICIAL': 985,
  'EUR/BNA': 451,
  'EUR/BLUE': 489,
  'BRL/OFICIAL': 1069,
  'BRL/BNA': 451,
  'CLP/OFICIAL': 1029,
  'UYU/OFICIAL': 418,
}
const DAILY_VALUE = 250

/** Pairs that move together: mostly they change in the same cycle. */
const TOGETHER: readonly (readonly PairKey[])[] = [
  ['USD/OFICIAL', 'USD/BNA', 'USD/TARJETA', 'EUR/BNA', 'BRL/BNA'],
  ['USD/BLUE', 'EUR/BLUE'],
  ['USD/BOLSA', 'USD/CCL'],
]

/** By how many they are followed, the most first; the others after these. Assumed. */
const MOST_FOLLOWED: readonly PairKey[] = [
  'USD/BLUE',
  'USD/OFICIAL',
  'USD/BOLSA',
  'USD/CCL',
  'USD/CRIPTO',
  'USD/TARJETA',
  'USD/MAYORISTA',
  'USD/BNA',
  'EUR/BLUE',
  'EUR/OFICIAL',
]

/** An opening hour has as many changes as three later ones: blue 1.9, official 4 (hourly series). */
const OPENING = 3
const HOUR_CYCLES = 3600 / CYCLE_SECONDS

export interface Cycle {
  changed: PairKey[]
  /** Deliveries that it makes: the webhooks of those pairs. */
  deliveries: number
}

const KEYS = PAIRS.map(pairKey)
const CHANCES = new Map(KEYS.map((key) => [key, chancesOf(key)]))

/** What a webhook gets on a mean day, at `CHANGES_A_DAY`. */
const DELIVERIES_OF_WEBHOOK =
  sum([...followersOf(1_000_000)].map(([key, followers]) => followers * sum(CHANCES.get(key)!))) /
  1_000_000

/**
 * The cycles of a day on which webhooks get so many deliveries on average. The same seed and the same
 * deliveries a webhook make the same changes.
 */
export function playMarket(
  { webhooks, deliveries }: { webhooks: number; deliveries: number },
  seed = 1,
): Cycle[] {
  const random = createRandom(seed)
  const followers = followersOf(webhooks)
  const pace = deliveries / webhooks / DELIVERIES_OF_WEBHOOK
  return Array.from({ length: CYCLES }, (_, cycle) => {
    const draws = new Map<readonly PairKey[], number>()
    const changed = KEYS.filter((key) => {
      const group = TOGETHER.find((keys) => keys.includes(key)) ?? []
      const draw = draws.get(group) ?? random.next()
      if (group.length > 0) draws.set(group, draw)
      return draw < pace * CHANCES.get(key)![cycle]!
    })
    return { changed, deliveries: sum(changed.map((key) => followers.get(key)!)) }
  })
}

/** Zipf: the second has half of the first one's webhooks, the third a third. */
export function followersOf(webhooks: number): Map<PairKey, number> {
  const ranked = [...MOST_FOLLOWED, ...KEYS.filter((key) => !MOST_FOLLOWED.includes(key))]
  const all = sum(ranked.map((_, index) => 1 / (index + 1)))
  return new Map(ranked.map((key, index) => [key, Math.round(webhooks / (index + 1) / all)]))
}

/** The probability that a pair changes, for each cycle. */
function chancesOf(key: PairKey): number[] {
  const share = changesOfYear(key) / sum(KEYS.map(changesOfYear))
  return weightsOf(key).map((weight) => Math.min(1, CHANGES_A_DAY * share * weight))
}

function changesOfYear(key: PairKey): number {
  return CHANGES_OF_YEAR[key] ?? DAILY_VALUE
}

/** The share of a day's changes that each cycle has: none while the pair's market is closed. */
function weightsOf(key: PairKey): number[] {
  const { hours } = pairRhythm(PAIRS.find((pair) => pairKey(pair) === key)!)
  const open = Array.from({ length: CYCLES }, (_, cycle) =>
    isOpen(hours, dayStart(DAY) + cycle * CYCLE_SECONDS * SECOND_MS),
  )
  // A market that never closes has no opening.
  const opened = open.includes(false) ? open.indexOf(true) : -CYCLES
  const weights = open.map((isOpen, cycle) =>
    isOpen ? (cycle < opened + HOUR_CYCLES ? OPENING : 1) : 0,
  )
  return weights.map((weight) => weight / sum(weights))
}
