import { distance } from '../observe/levels.ts'
import type { Rule, Subject, WitnessWord } from './rule.ts'

/** The old value is nearer to the witness than this share of the new one's distance. */
const SHARE = 0.5

/**
 * A live source of other provenance still says the old value. How far it must stand from the new
 * one is learned from how far the two usually stray (observe/noise.ts): at least 2 %.
 */
export const contradicted: Rule = {
  name: 'contradicted',
  release: 'repetition',
  suspects(subject) {
    const { witnesses } = subject
    return (
      witnesses.some((witness) => isAgainst(subject, witness)) &&
      !witnesses.some((witness) => isFor(subject, witness) && !isAgainst(subject, witness))
    )
  },
}

function isAgainst({ baseline, limits, buy, sell }: Subject, witness: WitnessWord): boolean {
  if (!baseline) return false

  const { said, floor, knowsBuy } = witness
  const isFar = (side: 'buy' | 'sell', price: number, least: number) => {
    const after = Math.abs(distance(said[side], price))
    return after > least && Math.abs(distance(said[side], baseline[side])) < SHARE * after
  }
  return (
    isFar('sell', sell, floor) || (knowsBuy && isFar('buy', buy, Math.max(floor, limits.buySwitch)))
  )
}

function isFor({ baseline, sell }: Subject, { said, floor }: WitnessWord): boolean {
  if (!baseline) return true

  const after = Math.abs(distance(said.sell, sell))
  return after <= floor && after < Math.abs(distance(said.sell, baseline.sell))
}
