/**
 * The weight of evidence: six terms, each of which says how much likelier a fact is if the market is
 * there, and their sum.
 */
import { HOUR_MS } from '../../../shared/argentine-time.ts'
import { PRICE_SCALE, priceToNumber, roundPrice } from '../../../shared/market/price.ts'
import { distance, heavy, type Level, normal, SIDES, widest } from './level.ts'
import { MILLION } from './memory.ts'
import type { Subject, Witness } from './subject.ts'
import { isPlausible, mayCoincide } from './usual.ts'
import {
  ANYTHING,
  BAD_FORM,
  FAULT_MINUTES,
  FAULTS,
  FOLLOWS_MINUTES,
  KNOWN_CYCLES,
  LEAVES_RELATIVES,
  MILD,
  MILD_SCALE,
  MISTYPED,
  MOST_PATIENCE,
  MOST_REST_HOURS,
  NEVER_FOLLOWS,
  ODD_SCALE,
  ODD_SPREAD,
  REST_HOURS,
  SHARE_OF_STEP,
  SLOW_FOLLOWS,
  THRESHOLD,
} from './weights.ts'

/** The name is stored in the quarantine table. */
export type TermName = 'step' | 'witness' | 'relatives' | 'persistence' | 'spread' | 'form'

/** What one fact says: how much likelier it is if the market is there than if the reading is wrong. */
interface Vote {
  term: TermName
  /** A natural logarithm; above zero for the reading. */
  points: number
  /** For the operator; made only when asked for. */
  text: () => string
}

/** A term of the sum. Pure: the same subject gives the same votes. */
type Term = (subject: Subject) => Vote[]

function percent(share: number): string {
  return `${share < 0 ? '−' : '+'}${Math.abs(100 * share).toFixed(1)} %`
}

/** Density of wrong readings: mild ones at a few per cent, and any at all, some by powers of ten. */
function faulty(off: number): number {
  const size = Math.abs(off)
  const mild = (size / MILD_SCALE ** 2 / 2) * Math.exp(-size / MILD_SCALE)
  return MILD * mild + (1 - MILD) * anything(size)
}

function anything(size: number): number {
  return 1 / ANYTHING + powersOfTen(size)
}

/** As many again are misread by ten, a hundred or a thousand. */
function powersOfTen(size: number): number {
  const off = size - Math.LN10 * Math.round(size / Math.LN10)
  return size < Math.LN10 / 2 ? 0 : heavy(off, 1 / ANYTHING) / 2 / 3
}

/**
 * Step: how often the market makes such a change, beside how often a wrong reading stands so far away.
 * A market's changes are small with heavy tails; it may go further in a night and a weekend. A first
 * value is plausible or not.
 */
const step: Term = ({ baseline, moved, side, usual, rested, source }) => {
  if (!baseline) {
    const points = isPlausible(source, usual) ? THRESHOLD : BAD_FORM
    return [{ term: 'step', points, text: () => 'first value' }]
  }

  const hours = Math.min(rested / HOUR_MS, MOST_REST_HOURS)
  const scale = usual.step * Math.sqrt(1 + hours / REST_HOURS)
  const off = moved[side]
  const points = Math.log(heavy(off, scale) / (FAULTS * faulty(off)))
  return [{ term: 'step', points, text: () => `${side} ${percent(Math.expm1(off))}` }]
}

/** Sources of a first value may differ by their definitions, not by more than this. */
const ALIKE = 0.1

/**
 * Witness: another origin either says the new level (it followed, or a rare coincidence), or still
 * says the old one (it has not followed yet, which is ever less likely, or the reading is wrong).
 * One that has said the same for as long as it usually does may have stopped, and tells less.
 */
const witness: Term = (subject) =>
  subject.witnesses.flatMap((one) => (subject.baseline ? vote(one, subject) : first(one, subject)))

function vote(one: Witness, { side, moved, minutes, usual }: Subject): Vote[] {
  const at = one.at[side]
  if (at === null) return []

  // The longer it has said the same, up to its usual interval, the likelier it stopped. At most
  // twice as likely: patience must not outweigh it and a large step.
  const never = NEVER_FOLLOWS * (1 + Math.min(1, one.intervals))
  const silent = stillSilent(one.isSlow ? SLOW_FOLLOWS : never, minutes)
  const noise = Math.hypot(one.noise[side], usual.step / 2)
  const to = moved[side]
  // On a day on which two sources stray, their steps may agree better than their levels.
  const off = Math.min(...one.moved[side].map((moved) => Math.abs(moved - to)))
  const points = likelihood({ at, to, off, noise, fine: usual.step / 2, silent })
  const says = priceToNumber(one.says[side])
  return [
    {
      term: 'witness',
      points,
      text: () => `${one.name} says ${says}${points < 0 ? ` after ${minutes} min` : ''}`,
    },
  ]
}

/**
 * The logarithm of how much likelier it is to find a voice `at` a distance if the market went `to`
 * another one than if it stayed. `silent` is the chance that the voice has not followed.
 */
function likelihood(voice: {
  at: number
  to: number
  noise: number
  silent: number
  /** How far it is from the new level at its best, and how finely two tell the same one. */
  off: number
  fine: number
}): number {
  const { at, to, off, noise, fine, silent } = voice
  const there = normal(off, Math.hypot(fine, SHARE_OF_STEP * to))
  const stayed = heavy(at, noise)
  const stray = FAULTS * faulty(at)
  const followed = (1 - silent) * there + silent * stayed
  return Math.log(((1 - FAULTS) * followed + stray) / ((1 - FAULTS) * stayed + stray))
}

/** The chance that a source says the old value though the market left it so many minutes ago. */
function stillSilent(never: number, minutes: number): number {
  return never + (1 - never) * Math.exp(-(minutes + FOLLOWS_MINUTES) / FOLLOWS_MINUTES)
}

/** Beside a first value: how far apart two may be by their definitions. */
function first({ name, says }: Witness, { source, usual }: Subject): Vote[] {
  if (!isPlausible(says, usual)) return []
  const isAlike = Math.abs(distance(says.sell, source.sell)) <= ALIKE
  return [
    {
      term: 'witness',
      points: isAlike ? 1 : -1,
      text: () => `${name} says ${priceToNumber(says.sell)}`,
    },
  ]
}

/**
 * Relatives: related pairs are one more voice, their median. They move with the market, within what
 * they stray by themselves; but a regime may change for one pair alone.
 */
const relatives: Term = ({ relatives, baseline, moved, minutes, usual }) => {
  if (!relatives || !baseline) return []

  const silent = stillSilent(LEAVES_RELATIVES, minutes)
  const noise = Math.hypot(usual.step, 1.25 * relatives.noise)
  const points = likelihood({
    at: relatives.at,
    to: moved.sell,
    off: relatives.at - moved.sell,
    noise,
    fine: noise,
    silent,
  })
  return [
    {
      term: 'relatives',
      points,
      text: () => `relatives at ${percent(Math.expm1(relatives.at))}`,
    },
  ]
}

/**
 * Persistence: what is true stays; a fault is mended, and the longer it stood the sooner. Some stay
 * for days, so patience is worth no more than a bound. An operator's rejection takes it away.
 */
const persistence: Term = ({ minutes, status }) => [
  {
    term: 'persistence',
    points: status === 'rejected' ? 0 : Math.min(MOST_PATIENCE, (minutes / FAULT_MINUTES) ** 2),
    text: () => `said for ${minutes} min`,
  },
]

/** Mistyped sides make any spread within some 30 %. */
const ANY_SPREAD = 1 / 0.6

/** Spread: near what this source's spread usually is, or anything because one side is mistyped. */
const spread: Term = ({ source, usual }) => {
  const { spread, spreadNoise, spreads } = source.habits
  if (source.onlySell || spreads < KNOWN_CYCLES) return []

  const now = distance(source.buy, source.sell)
  const scale = Math.hypot(usual.step / 2, (1.25 * spreadNoise) / MILLION)
  const off = now - spread / MILLION
  const like = heavy(off, scale)
  const odd = Math.exp(-Math.abs(off) / ODD_SCALE) / (2 * ODD_SCALE)
  const points = Math.log(
    ((1 - ODD_SPREAD) * like + ODD_SPREAD * odd) / ((1 - MISTYPED) * like + MISTYPED * ANY_SPREAD),
  )
  return [
    {
      term: 'spread',
      points,
      text: () => `spread ${percent(now)}, usual ${percent(spread / MILLION)}`,
    },
  ]
}

/** A smaller step may meet another pair's value by chance; a smaller spread mirrors by chance. */
const LEAST = 0.005

/** A source that usually has this spread and none now copied one side from the other. */
const TWO_SIDES = 0.01

/** Mirrored: the sides cross by the usual spread, give or take a quarter of it. */
const QUARTER = 0.25

/** Form: sides that cross, are mirrored or copied, another pair's value, a spread that is no quote. */
const form: Term = (subject) => {
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

const TERMS: readonly Term[] = [step, witness, relatives, persistence, spread, form]

export interface Ballot {
  votes: readonly Vote[]
  score: number
}

export function ballotOf(subject: Subject): Ballot {
  const votes = TERMS.flatMap((term) => term(subject))
  const score =
    subject.status === 'accepted' ? Infinity : votes.reduce((sum, { points }) => sum + points, 0)
  return { votes, score }
}

export function isBelieved({ score }: Ballot): boolean {
  return score >= THRESHOLD
}

/** The term that weighs most against the reading: the reason of its hold. Patience is against none. */
export function reasonOf({ votes }: Ballot): TermName {
  const [first, ...others] = votes.filter(({ term }) => term !== 'persistence')
  return others.reduce((most, vote) => (vote.points < most.points ? vote : most), first!).term
}

/** The ballot in one line: `sell +8.1 %: +2.3 · relatives at +0.1 %: −2.0 → 0.3 of 6: held`. */
export function ballotLine(ballot: Ballot): string {
  const { votes, score } = ballot
  const lines = votes.map(({ text, points }) => `${text()}: ${signed(points)}`)
  const sum = score === Infinity ? 'accepted by an operator' : `${signed(score)} of ${THRESHOLD}`
  return `${lines.join(' · ')} → ${sum}: ${isBelieved(ballot) ? 'believed' : 'held'}`
}

function signed(points: number): string {
  return `${points < 0 ? '−' : '+'}${Math.abs(points).toFixed(1)}`
}
