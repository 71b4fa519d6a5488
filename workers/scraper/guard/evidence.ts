/**
 * The six kinds of evidence for a reading. Each compares how likely a fact is if the reading is
 * right with how likely it is if the reading is wrong. The constants are probabilities, times and
 * scales, the same for every pair, fitted on one half of the recordings (docs/guard.md).
 */
import { HOUR_MS } from '../../../shared/argentine-time.ts'
import { pairKey } from '../../../shared/market/catalog.ts'
import { PRICE_SCALE, priceToNumber, roundPrice } from '../../../shared/market/price.ts'
import { asGivenBy, type Facts, isKnown, noiseBetween } from './facts.ts'
import { distance, heavy, isSameLevel, type Level, normal, SIDES, widest } from './level.ts'
import { KNOWN_CYCLES, MILLION, type SourceMemory } from './memory.ts'
import { isPlausible, mayCoincide } from './usual.ts'

const KINDS = { step, witness, relatives, persistence, spread, form }

/** The name is stored in the quarantine table. */
type EvidenceKind = keyof typeof KINDS

interface Weighed {
  /** Logarithm of the likelihood ratio; a positive number supports the reading. */
  points: number
  /** For the operator. */
  text: string
}

export interface Score {
  evidence: readonly (Weighed & { kind: EvidenceKind })[]
  /** The sum of the points; infinite once an operator accepted the reading. */
  points: number
}

/** A reading with this score is believed: a published fault costs e⁶ times as much as waiting. */
const THRESHOLD = 6

export function scoreOf(facts: Facts): Score {
  const kinds = Object.keys(KINDS) as EvidenceKind[]
  const evidence = kinds.flatMap((kind) => KINDS[kind](facts).map((one) => ({ kind, ...one })))
  const isAccepted = facts.decided === 'accepted'
  const points = isAccepted ? Infinity : evidence.reduce((sum, one) => sum + one.points, 0)
  return { evidence, points }
}

export function isBelieved({ points }: Score): boolean {
  return points >= THRESHOLD
}

/** The reason of a hold: the strongest kind of evidence against the reading. Never persistence. */
export function reasonOf({ evidence }: Score): EvidenceKind {
  const against = evidence.filter(({ kind }) => kind !== 'persistence')
  return against.toSorted((a, b) => a.points - b.points)[0]!.kind
}

/** The score in one line: `sell +8.1 %: +2.3 · relatives at +0.1 %: −2.0 → 0.3 of 6: held`. */
export function scoreLine(score: Score): string {
  const { evidence, points } = score
  const lines = evidence.map(({ text, points }) => `${text}: ${signed(points)}`)
  const sum = points === Infinity ? 'accepted by an operator' : `${signed(points)} of ${THRESHOLD}`
  return `${lines.join(' · ')} → ${sum}: ${isBelieved(score) ? 'believed' : 'held'}`
}

function signed(points: number): string {
  return `${points < 0 ? '−' : '+'}${Math.abs(points).toFixed(1)}`
}

function percent(share: number): string {
  return `${share < 0 ? '−' : '+'}${Math.abs(100 * share).toFixed(1)} %`
}

/** Prior: one reading in 2,500 is wrong. */
const FAULTS = 1 / 2500
/** Share and scale of mild faults: 5 % on average, seldom below 1 % (gamma of order two). */
const MILD = 0.8
const MILD_SCALE = 0.025
/** Other faults are uniform over ten units of the logarithm: factors from 1/150 to 150. */
const ANYTHING = 10

/** Density of a wrong reading at a distance from the baseline. */
function faulty(off: number): number {
  const size = Math.abs(off)
  const mild = (size / MILD_SCALE ** 2 / 2) * Math.exp(-size / MILD_SCALE)
  // As many readings are off by a factor of 10, 100 or 1,000 as by any other large factor.
  const power = size - Math.LN10 * Math.round(size / Math.LN10)
  const byPower = size < Math.LN10 / 2 ? 0 : heavy(power, 1 / ANYTHING) / 2 / 3
  return MILD * mild + (1 - MILD) * (1 / ANYTHING + byPower)
}

/** The scale of a step grows with the time since the last confirmation: by √2 after 12 hours. */
const REST_HOURS = 12
/** A longer time than a long weekend is an outage of ours. */
const MOST_REST_HOURS = 96
/**
 * A step of `buy` alone has this share of the usual scale, because a market moves both sides and a
 * typing mistake only one. Does not apply to order books, whose sides move independently.
 */
const BUY_ALONE = 0.3
/** `sell` counts as unmoved if it moved by less than this share of the move of `buy`. */
const STILL = 0.25

/**
 * Step: how often the market makes such a change, compared with how often a wrong reading is that
 * far away. Market changes are small with heavy tails, and larger after a night or a weekend. For a
 * pair's first value, only its plausibility counts.
 */
function step({ baseline, moved, side, usual, source, context }: Facts): Weighed[] {
  if (!baseline)
    return [{ points: isPlausible(source, usual) ? THRESHOLD : BAD_FORM, text: 'first value' }]

  const isStill = Math.abs(moved.sell) <= STILL * Math.abs(moved.buy)
  const isAlone = side === 'buy' && isStill && usual.crossing === 0
  const rested = context.now - context.current!.lastScrapedAt
  const hours = Math.min(Math.max(0, rested) / HOUR_MS, MOST_REST_HOURS)
  const scale = (isAlone ? BUY_ALONE : 1) * usual.step * Math.sqrt(1 + hours / REST_HOURS)
  const off = moved[side]
  const points = Math.log(heavy(off, scale) / (FAULTS * faulty(off)))
  return [{ points, text: `${side} ${percent(Math.expm1(off))}` }]
}

/** The chance that a source never follows a true step. */
const NEVER_FOLLOWS = 0.0005
/** The same chance for a source that was left behind or that has another definition. */
const SLOW_FOLLOWS = 0.05
/** The chance that a pair moves away from its relatives permanently. */
const LEAVES_RELATIVES = 0.0015
/** A source usually follows a step within this time. */
export const FOLLOWS_MINUTES = 10

/** The chance that a source still gives the old value this many minutes after a step. */
function stillSilent(never: number, minutes: number): number {
  return never + (1 - never) * Math.exp(-(minutes + FOLLOWS_MINUTES) / FOLLOWS_MINUTES)
}

/** Two sources that made the same step differ by about this share of it. */
const SHARE_OF_STEP = 0.025
/** A source that moved in the same direction by half to twice the step is on its way. */
const [LEAST_WAY, MOST_WAY] = [0.5, 2]
/** This share of the sources that follow a step is on its way in a given cycle. */
const UNDER_WAY = 0.15

function isUnderWay(at: number, to: number): boolean {
  return at / to > LEAST_WAY && at / to < MOST_WAY
}

/** Log-likelihood ratio of another source's distance `at`: the market moved by `to`, or stayed. */
function likelihood(other: {
  at: number
  to: number
  noise: number
  /** The chance that the source has not followed. */
  silent: number
  /** The distance of the other source from the new level, and the usual difference of sources. */
  off: number
  fine: number
  mayBeUnderWay: boolean
}): number {
  const { at, to, off, noise, fine, silent, mayBeUnderWay } = other
  const arrived = normal(off, Math.hypot(fine, SHARE_OF_STEP * to))
  const onTheWay = isUnderWay(at, to) ? 1 / ((MOST_WAY - LEAST_WAY) * Math.abs(to)) : 0
  const there = mayBeUnderWay ? (1 - UNDER_WAY) * arrived + UNDER_WAY * onTheWay : arrived
  const stayed = heavy(at, noise)
  const wrong = FAULTS * faulty(at)
  const followed = (1 - silent) * there + silent * stayed
  return Math.log(((1 - FAULTS) * followed + wrong) / ((1 - FAULTS) * stayed + wrong))
}

/**
 * Witness: a source of another provenance gives the new level (because it followed, or by a rare
 * coincidence), is on its way, or still gives the old level (because it has not followed yet, which
 * becomes less likely with time, or because the reading is wrong). A source that has not changed
 * for its usual interval may have stopped, and counts less.
 */
function witness(facts: Facts): Weighed[] {
  return facts.baseline ? facts.witnesses.flatMap((other) => weigh(other, facts)) : []
}

function weigh(other: SourceMemory, facts: Facts): Weighed[] {
  const { source, side, moved, usual, relatives, context } = facts
  const { minutes } = source.away
  if (side === 'buy' && other.onlySell) return []

  const to = moved[side]
  const baseline = asGivenBy(other, context.current!, context)
  // Two sources that print the same quote agree now, whatever their offset was.
  const isSame = isSameLevel(source, other)
  const areKnown = isKnown(source, context) && isKnown(other, context)
  const isSlow = other.leftBehind || !other.sameDefinition || other.sell < other.buy
  // At most doubled, because persistence must not outweigh this witness together with a large step.
  const intervals = other.stood / Math.max(1, other.habits.interval)
  const never = isSlow ? SLOW_FOLLOWS : NEVER_FOLLOWS * (1 + Math.min(1, intervals))
  const at = isSame ? to : distance(baseline[side], other[side])
  // If two sources have different levels on a day, their steps may still agree.
  const own = isSame ? to : distance(other.before[side], other[side])
  const points = likelihood({
    at,
    to,
    noise: Math.hypot(noiseBetween(source, other, side, context), usual.step / 2),
    silent: stillSilent(never, minutes),
    off: Math.min(Math.abs(at - to), Math.abs(own - to)),
    fine: usual.step / 2,
    // If the relatives did not move, two sources with similar steps may both be wrong.
    mayBeUnderWay: areKnown && (!relatives || isUnderWay(relatives.at, moved.sell)),
  })
  const text = `${other.name} at ${priceToNumber(other[side])}`
  return [{ points, text: points < 0 ? `${text} after ${minutes} min` : text }]
}

/**
 * Relatives: the median of related pairs is one more witness. Related pairs move with the market,
 * within their own noise, but a new regulation may change one pair alone.
 */
function relatives({ relatives, baseline, moved, source, usual }: Facts): Weighed[] {
  if (!relatives || !baseline) return []

  const { at } = relatives
  const noise = Math.hypot(usual.step, 1.25 * relatives.noise)
  const points = likelihood({
    at,
    to: moved.sell,
    off: at - moved.sell,
    noise,
    fine: noise,
    silent: stillSilent(LEAVES_RELATIVES, source.away.minutes),
    mayBeUnderWay: false,
  })
  return [{ points, text: `relatives at ${percent(Math.expm1(at))}` }]
}

/** A fault lasts for t minutes with the probability exp(−(t/τ)²): few last over two hours. */
const FAULT_MINUTES = 39
/** Limit for the points of persistence, because some faults last longer. */
const MOST_PERSISTENCE = 8.5

/** Persistence: true values stay, faults are corrected. Does not count after a rejection. */
function persistence({ source, decided }: Facts): Weighed[] {
  const { minutes } = source.away
  const points = Math.min(MOST_PERSISTENCE, (minutes / FAULT_MINUTES) ** 2)
  const text = `unchanged for ${minutes} min`
  return [{ points: decided === 'rejected' ? 0 : points, text }]
}

/** Shares: of wrong readings with one mistyped side, and of right readings with an odd spread. */
const MISTYPED = 0.6
const ODD_SPREAD = 0.002
/** Average distance of an odd spread from the usual spread. */
const ODD_SCALE = 0.03
/** With a mistyped side, any spread within ±30 % is equally likely. */
const ANY_SPREAD = 1 / 0.6

/** Spread: near the usual spread of this source or, with a mistyped side, anywhere. */
function spread({ source, usual }: Facts): Weighed[] {
  const { spread, spreadNoise, spreads } = source.habits
  if (source.onlySell || spreads < KNOWN_CYCLES) return []

  const now = distance(source.buy, source.sell)
  const off = now - spread / MILLION
  const like = heavy(off, Math.hypot(usual.step / 2, (1.25 * spreadNoise) / MILLION))
  const odd = Math.exp(-Math.abs(off) / ODD_SCALE) / (2 * ODD_SCALE)
  const right = (1 - ODD_SPREAD) * like + ODD_SPREAD * odd
  const points = Math.log(right / ((1 - MISTYPED) * like + MISTYPED * ANY_SPREAD))
  return [{ points, text: `spread ${percent(now)}, usual ${percent(spread / MILLION)}` }]
}

/** Points against a bad form. Outweighs persistence and one witness together. */
const BAD_FORM = -30
/** Points against an absurd spread. Outweighs even an agreeing witness, which must be a copy. */
const NO_QUOTE = 4 * BAD_FORM
/** After a smaller step, a reading may equal another pair's value by chance. */
const LEAST = 0.005

/** Form: crossed or copied sides, another pair's value, or an absurd spread. */
function form(facts: Facts): Weighed[] {
  const text = formFault(facts)
  return text ? [{ points: text === 'absurd spread' ? NO_QUOTE : BAD_FORM, text }] : []
}

function formFault(facts: Facts): string | null {
  const { source, usual, moved } = facts
  const spread = distance(source.buy, source.sell)
  if (spread > Math.log1p(usual.widest) || spread < -0.2) return 'absurd spread'
  if (facts.baseline && !isPlausible(source, usual)) return 'no value of this decade'
  if (spread < -usual.crossing) return 'sides crossed'
  // A doubted order book that is still crossed, but less than before.
  const { before } = source
  if (spread < 0 && before.doubted && before.sell < before.buy) return 'sides crossed'
  if (isOneSide(facts)) return 'one side copied'
  // A parser that finds no number may give exactly 1.
  if (SIDES.some((side) => source[side] === PRICE_SCALE && Math.abs(moved[side]) >= LEAST))
    return 'a plain 1'
  return source.copied ? "another pair's value" : null
}

/** Sides that differ by fewer units of the last digit than this sometimes print the same number. */
const ROUNDED = 10
/** The sides of an order book whose usual spread is narrower than this are sometimes equal. */
const LEAST_OF_BOOKS = 0.01

/**
 * Whether a source that should give two numbers gives the same number twice. Until its spread is
 * known, the spread of the value in effect decides.
 */
function isOneSide({ source, baseline, usual, context }: Facts): boolean {
  if (source.onlySell || source.buy !== source.sell) return false

  const digits = (ROUNDED * PRICE_SCALE) / 10 ** context.pair.decimals
  const least = usual.crossing > 0 ? LEAST_OF_BOOKS : digits / source.sell
  const { spread, spreads } = source.habits
  if (spreads >= KNOWN_CYCLES) return spread / MILLION >= least
  return baseline !== null && distance(baseline.buy, baseline.sell) >= least
}

/**
 * Whether both sides of a reading equal another pair's value in effect or one of its readings, to
 * the last digit, although this pair was not at that level before.
 */
export function isCopied({ source, baseline, context: { pair, market } }: Facts): boolean {
  const print = ({ buy, sell }: Level) =>
    `${roundPrice(buy, pair.decimals)}/${roundPrice(sell, pair.decimals)}`
  const own = print(source)
  const wasThere = (level: Level) => widest(level, source) < LEAST
  if (!baseline || wasThere(baseline) || wasThere(source.before)) return false

  return market
    .filter((other) => pairKey(other.pair) !== pairKey(pair) && !mayCoincide(pair, other.pair))
    .flatMap((other) => [other, ...(other.readings ?? [])])
    .some((level) => print(level) === own)
}
