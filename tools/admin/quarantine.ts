import { formatArgentine } from '../../shared/argentine-time.ts'
import { pairKey } from '../../shared/market/catalog.ts'
import { type HeldValue, listHeld, overrideHeld } from '../../shared/db/quotes/quarantine.ts'
import { priceToNumber } from '../../shared/market/price.ts'
import { type AdminCommand, type AdminContext, AdminError } from './command.ts'
import { takePair } from './words.ts'

export const quarantineCommands: readonly AdminCommand[] = [
  {
    name: 'quarantine list',
    usage: '',
    summary: 'Shows the values that the guard holds back, with reason and source.',
    async run(_, { db, print }) {
      const held = await listHeld(db)
      if (held.length === 0) print('nothing is held')
      for (const value of held) print(lineOf(value))
    },
  },
  {
    name: 'quarantine accept',
    usage: 'PAIR',
    summary: 'Lets the held value of a pair through: the next cycle that sees it publishes it.',
    run: (args, context) => speak(args, context, 'accepted'),
  },
  {
    name: 'quarantine reject',
    usage: 'PAIR',
    summary: 'Refuses the held value of a pair: repetition alone will not publish it.',
    run: (args, context) => speak(args, context, 'rejected'),
  },
]

async function speak(
  args: string[],
  { db, print }: AdminContext,
  verdict: 'accepted' | 'rejected',
): Promise<void> {
  const pair = takePair(args)
  const value = await overrideHeld(db, pair, verdict)
  if (!value) throw new AdminError(`nothing of ${pairKey(pair)} is held`)

  print(lineOf(value))
}

function lineOf({ pair, buy, sell, source, reason, status, firstSeenAt, lastSeenAt }: HeldValue) {
  return [
    pair ? pairKey(pair) : 'a pair that left the catalogue',
    `${priceToNumber(buy)}/${priceToNumber(sell)}`,
    `from ${source}`,
    `${status}: ${reason}`,
    `since ${formatArgentine(firstSeenAt)}, last seen ${formatArgentine(lastSeenAt)}`,
  ].join('  ')
}
