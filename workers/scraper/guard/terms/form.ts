import { PRICE_SCALE, roundPrice } from '../../../../shared/market/price.ts'
import { distance, type Level, SIDES, widest } from '../level.ts'
import { MILLION } from '../memory.ts'
import type { Subject } from '../subject.ts'
import { isPlausible, mayCoincide } from '../usual.ts'
import { BAD_FORM, KNOWN_CYCLES } from '../weights.ts'
import type { Term } from './vote.ts'

/** A smaller step may meet another pair's value by chance; a smaller spread mirrors by chance. */
const LEAST = 0.005

/** A source that usually has this spread and none now copied one side from the other. */
const TWO_SIDES = 0.01

/** Mirrored: the sides cross by the usual spread, give or take a quarter of it. */
const QUARTER = 0.25

/** Form: sides that cross, are mirrored or copied, another pair's value, a spread that is no quote. */
export const form: Term = (subject) => {
  const fault = formFault(subject)
  if (!fault) return []
  // Two sources that agree on an absurd quote copied it from one another.
  const points = fault === 'absurd spread' ? 4 * BAD_FORM : BAD_FORM
  return [{ term: 'form', points, text: () => fault }]
}

function formFault(subject: Subject): string | null {
  const { source, usual } = subject
  const spread = distance(source.buy, source.sell)
  if (spread > Math.log1p(usual.widest) || spread < -0.2) return 'absurd spread'
  if (subject.baseline && !isPlausible(source, usual)) return 'no value of this decade'
  if (spread < -usual.crossing) return 'sides crossed'
  const { before } = source
  if (spread < 0 && before.doubted && before.sell < before.buy) return 'sides crossed'
  if (isMirrored(source, spread)) return 'sides mirrored'
  if (isOneSide(subject)) return 'one side copied'
  if (isOne(subject)) return 'a plain 1'
  return source.copied ? "another pair's value" : null
}

/**
 * Whether a source that gives two numbers shows one of them twice. Until its spread is known, what it
 * said before, the value in effect and what others say now tell whether there is one.
 */
function isOneSide({ source, baseline, witnesses }: Subject): boolean {
  const { spread, spreads } = source.habits
  if (source.onlySell || source.buy !== source.sell) return false
  if (spreads >= KNOWN_CYCLES) return spread / MILLION >= TWO_SIDES
  const others = witnesses.flatMap(({ onlySell, says }) => (onlySell ? [] : [says]))
  return [source.cameFrom, ...(baseline ? [baseline] : []), ...others].some(
    ({ buy, sell }) => distance(buy, sell) >= TWO_SIDES,
  )
}

/** Exactly 1 is what a reader makes of a missing number. */
function isOne({ source, moved }: Subject): boolean {
  return SIDES.some((side) => source[side] === PRICE_SCALE && Math.abs(moved[side]) >= LEAST)
}

function isMirrored({ habits: { spread, spreads }, before }: Subject['source'], now: number) {
  const known = spreads >= KNOWN_CYCLES ? [spread / MILLION] : []
  return [...known, distance(before.buy, before.sell)].some(
    (usual) => usual >= LEAST && Math.abs(now + usual) <= QUARTER * usual,
  )
}

/**
 * Whether a reading is another pair's to the last digit, both sides: its value in effect, or what one of
 * its documents prints. This pair was elsewhere before.
 */
export function isCopied({ source, baseline, pair, others }: Subject): boolean {
  const isNews = [baseline, source.before].every(
    (level) => level !== null && widest(level, source) >= LEAST,
  )
  const round = ({ buy, sell }: Level) =>
    `${roundPrice(buy, pair.decimals)}/${roundPrice(sell, pair.decimals)}`
  const own = round(source)
  return (
    isNews &&
    others.some(
      (other) =>
        !mayCoincide(pair, other.pair) &&
        [other, ...(other.readings ?? [])].some((level) => round(level) === own),
    )
  )
}
