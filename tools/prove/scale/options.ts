import { Command, Option } from '@commander-js/extra-typings'
import { whole } from '../../support/arguments.ts'
import { MAX_SHARDS } from './design.ts'
import { DATABASES, HUNDREDFOLD } from './page.ts'

const MILLIARD = 1_000_000_000
const { webhooks, deliveries, reads, seed } = HUNDREDFOLD

export const command = new Command('npm run scale --')
  .addOption(
    whole(
      '--webhooks <N>',
      'webhooks, spread over the pairs by how much each is followed',
      1,
      MILLIARD,
    ).default(webhooks),
  )
  .addOption(
    whole(
      '--deliveries <N>',
      'deliveries of a mean day: how often the pairs change',
      1,
      MILLIARD,
    ).default(deliveries),
  )
  .addOption(whole('--reads <N>', 'public reads a second', 0, MILLIARD).default(reads))
  .addOption(whole('--databases <N>', 'of the sharded design', 1, MAX_SHARDS).default(DATABASES))
  .addOption(whole('--seed <N>', 'another day of changes', 0, 2 ** 31 - 1).default(seed))
  .addOption(
    new Option('--write', 'puts the tables into docs/scale.md, which shows the default load')
      .default(false)
      .conflicts(['webhooks', 'deliveries', 'reads', 'databases', 'seed']),
  )
