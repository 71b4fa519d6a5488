import { parseArgs } from 'node:util'

export interface FuzzOptions {
  requests: number
  /** The number of the first, of those that the seed makes. */
  from: number
  seed: number
  /** At once; the machine may have others to serve. */
  concurrency: number
  only: 'requests' | 'openapi' | null
}

/** Bad command line: the text is for who typed it. */
export class UsageError extends Error {}

export const USAGE = `npm run fuzz -- [options]

  --requests 100000    how many requests the grammar makes
  --from 1             the number of the first one, to come to a late one soon
  --seed N             makes the same requests again; chosen and printed when absent
  --concurrency 6      connections at once
  --only NAME          requests or openapi: one part of it`

const SEED_MAX = 2 ** 31 - 1

export function readOptions(argv: string[]): FuzzOptions | 'help' {
  const values = parse(argv)
  if (values.help) return 'help'
  const { only = null } = values
  if (only !== null && only !== 'requests' && only !== 'openapi')
    throw new UsageError('--only is requests or openapi')

  const chosen = Math.floor(Math.random() * SEED_MAX)
  return {
    requests: whole('--requests', values.requests, 10_000_000),
    from: whole('--from', values.from, 10_000_000),
    seed: values.seed === undefined ? chosen : whole('--seed', values.seed, SEED_MAX),
    concurrency: whole('--concurrency', values.concurrency, 64),
    only,
  }
}

function parse(argv: string[]) {
  try {
    return parseArgs({
      args: argv,
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        requests: { type: 'string', default: '100000' },
        from: { type: 'string', default: '1' },
        seed: { type: 'string' },
        concurrency: { type: 'string', default: '6' },
        only: { type: 'string' },
      },
    }).values
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function whole(name: string, text: string, most: number): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < 1 || value > most)
    throw new UsageError(`${name} must be a whole number from 1 to ${most}`)
  return value
}
