/**
 * What the guard believes before it hears anything: probabilities, times and scales, the same for
 * every pair. They were fitted on one half of the recordings (docs/guard.md); what belongs to one
 * pair is in usual.ts.
 */
import { HOUR_MS, MINUTE_MS } from '../../../shared/argentine-time.ts'

/** Points at which a value is published: to publish a fault costs e⁶ times what it costs to wait. */
export const THRESHOLD = 6

/** One reading in some thousands is wrong. */
export const FAULTS = 1 / 2500
/** Most of the faults are mild: 5 % on average, seldom less than one (gamma of order two). */
export const MILD = 0.8
export const MILD_SCALE = 0.025
/** The others are anything: evenly over ten units of the logarithm, so from 1/150 to 150 times. */
export const ANYTHING = 10
/** A market may move in so many hours of rest what it usually moves at once; more as their root. */
export const REST_HOURS = 12
/** Longer than a long weekend no market rests: nobody asked. */
export const MOST_REST_HOURS = 96

/** Two sources tell the end of one step to this share of it. */
export const SHARE_OF_STEP = 0.025
/** A source follows a step within this time. */
export const FOLLOWS_MINUTES = 10
/** The chance that a source that is there never follows a true step. */
export const NEVER_FOLLOWS = 0.0005
/** The same of one that others left behind, or that has another definition. */
export const SLOW_FOLLOWS = 0.05

/** The chance that a pair leaves its relatives for good. */
export const LEAVES_RELATIVES = 0.0015

/** A fault stands for t with the chance exp(−(t/τ)²): few outlast two hours… */
export const FAULT_MINUTES = 39
/** …but some do: patience gives no more points than this. */
export const MOST_PATIENCE = 8.5

/** Of the wrong readings, those with a side mistyped; of the right ones, those with an odd spread. */
export const MISTYPED = 0.6
export const ODD_SPREAD = 0.002
/** How far an odd spread lies from the usual one, on average. */
export const ODD_SCALE = 0.03

/** Crossed or mirrored sides, another pair's value: more than patience and one voice can lift. */
export const BAD_FORM = -30

/** A last reading counts for so long: slow documents are asked every half hour. */
export const FRESH_MS = 45 * MINUTE_MS
/** A source that speaks and is not read keeps its turn for this long. */
export const SILENT_MS = 15 * MINUTE_MS

/** What is learned of a day of calm cycles weighs as one; an hour of them makes it known. */
export const DAY_CYCLES = 288
export const KNOWN_CYCLES = 12
/** No cycle is read beyond this distance from what is known. */
export const CLIP = 0.01
/** A step of this size may be a fault: nothing is learned for an hour. */
export const NOTABLE = 0.02
export const RESTLESS_MS = HOUR_MS
