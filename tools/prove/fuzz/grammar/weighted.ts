import * as fc from 'fast-check'

/** One of the arbitraries, each as often as its weight says. */
export function weighted<Value>(
  ...choices: (readonly [weight: number, arbitrary: fc.Arbitrary<Value>])[]
): fc.Arbitrary<Value> {
  return fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })))
}
