import { readArguments, readWhole, UsageError } from '../harness/arguments.ts'
import { DATABASES, HUNDREDFOLD } from './page.ts'
import type { Load } from './play.ts'
import { MAX_SHARDS } from './shards.ts'

export interface ScaleOptions {
  load: Load
  databases: number
  /** Puts the tables into docs/scale.md. */
  write: boolean
}

export const USAGE = `npm run scale -- [options]

  --webhooks N     webhooks, spread over the pairs by how much each is followed (1000000)
  --deliveries N   deliveries of a mean day: how often the pairs change (10000000)
  --reads N        public reads a second (1000)
  --databases N    of the sharded design (8)
  --seed N         another day of changes (1)
  --write          puts the tables into docs/scale.md; takes no other option`

const MILLIARD = 1_000_000_000

/** The command line, or a `UsageError`. */
export function readOptions(args: readonly string[]): ScaleOptions {
  const text = { type: 'string' } as const
  const numbers = { webhooks: text, deliveries: text, reads: text, databases: text, seed: text }
  const { values } = readArguments(args, { ...numbers, write: { type: 'boolean', default: false } })
  const { write, ...chosen } = values
  if (write && Object.keys(chosen).length > 0)
    throw new UsageError('--write takes no other option: the page shows the default load')

  const read = (name: keyof typeof numbers, usual: number, least: number, most: number) => {
    const given = chosen[name]
    return given === undefined ? usual : readWhole(`--${name}`, given, least, most)
  }
  const load = {
    seed: read('seed', HUNDREDFOLD.seed, 0, 2 ** 31 - 1),
    webhooks: read('webhooks', HUNDREDFOLD.webhooks, 1, MILLIARD),
    deliveries: read('deliveries', HUNDREDFOLD.deliveries, 1, MILLIARD),
    reads: read('reads', HUNDREDFOLD.reads, 0, MILLIARD),
  }
  return { load, databases: read('databases', DATABASES, 1, MAX_SHARDS), write }
}
