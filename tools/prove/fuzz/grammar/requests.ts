import * as fc from 'fast-check'
import { bodyChange } from '../changes/body.ts'
import { applyAll, type Change } from '../changes/change.ts'
import { credentialChange } from '../changes/credentials.ts'
import { headerChange } from '../changes/header.ts'
import { methodChange, pathChange, queryChange } from '../changes/target.ts'
import type { FuzzRequest } from '../request.ts'
import { ROUTES } from './routes.ts'
import { weighted } from './weighted.ts'

const anyChange: fc.Arbitrary<Change> = weighted(
  [4, pathChange],
  [4, queryChange],
  [4, headerChange],
  [3, bodyChange],
  [3, credentialChange],
  [2, methodChange],
)

/** Half of all requests are good as they are; of the rest most have one thing changed. */
const changes: fc.Arbitrary<Change[]> = weighted(
  [5, fc.constant<Change[]>([])],
  [3, anyChange.map((change) => [change])],
  [2, fc.array(anyChange, { minLength: 2, maxLength: 4 })],
)

const good = fc.oneof(
  ...ROUTES.map(({ weight, good }) => ({ weight, arbitrary: good as fc.Arbitrary<FuzzRequest> })),
)

export const fuzzRequest: fc.Arbitrary<FuzzRequest> = fc
  .tuple(good, changes)
  .map(([request, changes]) => applyAll(request, changes))

/** Requests made at once. Each batch has a seed of its own, so it is always the same. */
const BATCH = 500

/**
 * Yields `count` requests, the same for the same seed, without those before number `from` (from 1).
 */
export function* requestsOf(seed: number, count: number, from = 1): Generator<FuzzRequest> {
  for (let at = 0; at < count; at += BATCH) {
    if (at + BATCH < from) continue
    const batch = fc.sample(fuzzRequest, { seed: seed + at * 7919, numRuns: BATCH })
    yield* batch.slice(Math.max(0, from - 1 - at), count - at)
  }
}
