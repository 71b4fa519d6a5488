import { readArguments, readSeed, readWhole, UsageError } from '../harness/arguments.ts'

export interface FuzzOptions {
  requests: number
  from: number
  seed: number
  /** Connections at once; others may use the machine too. */
  concurrency: number
  only: 'requests' | 'openapi' | null
}

export const USAGE = `npm run fuzz -- [options]

  --requests 100000    how many requests the grammar makes
  --from 1             the number of the first one, to come to a late one soon
  --seed N             makes the same requests again; chosen and printed when absent
  --concurrency 6      connections at once
  --only NAME          requests or openapi: one part of it`

export function readOptions(args: readonly string[]): FuzzOptions {
  const { values } = readArguments(args, {
    requests: { type: 'string', default: '100000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    concurrency: { type: 'string', default: '6' },
    only: { type: 'string' },
  })
  const { only = null } = values
  if (only !== null && only !== 'requests' && only !== 'openapi')
    throw new UsageError('--only is requests or openapi')

  return {
    requests: readWhole('--requests', values.requests, 1, 10_000_000),
    from: readWhole('--from', values.from, 1, 10_000_000),
    seed: readSeed(values.seed),
    concurrency: readWhole('--concurrency', values.concurrency, 1, 64),
    only,
  }
}
