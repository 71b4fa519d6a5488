import { Command } from '@commander-js/extra-typings'
import { formatArgentine, type Instant } from '../../../shared/argentine-time.ts'
import { type Pair, pairById, pairKey } from '../../../shared/market/catalog.ts'
import { type Price, priceToNumber } from '../../../shared/market/price.ts'
import { CommandError } from '../../support/arguments.ts'
import { run } from './command.ts'
import { opinionsOf } from './guard.ts'
import { readPair } from './read-values.ts'

export const quarantineCommand = new Command('quarantine').description(
  'Shows the values that the guard holds back, and accepts or rejects them.',
)

quarantineCommand
  .command('list')
  .description(
    'Shows each held value with its source, the strongest evidence against it, and all evidence.',
  )
  .action(
    run(async (context) => {
      const held = await listHeld(context.db)
      if (held.length === 0) context.print('nothing is held')
      for (const value of held) {
        context.print(lineOf(value))
        const { sources } = value.pair ? await opinionsOf(value.pair, context) : { sources: [] }
        const source = sources.find(({ name }) => name === value.source)
        if (source) context.print(`  ${source.evidence}`)
      }
    }),
  )

for (const { name, status, text } of [
  {
    name: 'accept',
    status: 'accepted',
    text: 'Accepts the held value of a pair. The next cycle in which a source repeats it publishes it.',
  },
  {
    name: 'reject',
    status: 'rejected',
    text: 'Rejects the held value of a pair. Repetition alone will not publish it.',
  },
] as const)
  quarantineCommand
    .command(name)
    .description(text)
    .argument('<PAIR>', '', readPair)
    .action(
      run(async ({ db, print }, pair) => {
        const value = await overrideHeld(db, pair, status)
        if (!value) throw new CommandError(`nothing of ${pairKey(pair)} is held`)

        print(lineOf(value))
      }),
    )

function lineOf({ pair, buy, sell, source, reason, status, firstSeenAt, lastSeenAt }: HeldValue) {
  return [
    pair ? pairKey(pair) : 'a pair that left the catalogue',
    `${priceToNumber(buy)}/${priceToNumber(sell)}`,
    `from ${source}`,
    `${status}: ${reason}`,
    `since ${formatArgentine(firstSeenAt)}, last seen ${formatArgentine(lastSeenAt)}`,
  ].join('  ')
}

interface HeldValue {
  pair: Pair | undefined
  buy: Price
  sell: Price
  source: string
  reason: string
  status: 'held' | 'accepted' | 'rejected'
  firstSeenAt: Instant
  lastSeenAt: Instant
}

const COLUMNS = `pair, buy, sell, source, reason, status, first_seen_at as firstSeenAt,
  last_seen_at as lastSeenAt`

/** Every unresolved value, with or without an operator's override, oldest first. */
export async function listHeld(binding: D1Database): Promise<HeldValue[]> {
  const { results } = await binding
    .prepare(
      `select ${COLUMNS} from quarantine
       where resolved_at is null order by id`,
    )
    .all<Omit<HeldValue, 'pair'> & { pair: number }>()
  return results.map((row) => ({ ...row, pair: pairById(row.pair) }))
}

/**
 * Overrides the guard for the held value of a pair. The next cycle in which a source repeats an
 * accepted value publishes the value. Repetition alone does not publish a rejected value. A later
 * call changes the override. Null when nothing is held.
 */
export async function overrideHeld(
  binding: D1Database,
  pair: Pair,
  decision: 'accepted' | 'rejected',
): Promise<HeldValue | null> {
  const row = await binding
    .prepare(
      `update quarantine set status = ?2
       where pair = ?1 and resolved_at is null
       returning ${COLUMNS}`,
    )
    .bind(pair.id, decision)
    .first<Omit<HeldValue, 'pair'>>()
  return row && { ...row, pair }
}
