import { Command } from '@commander-js/extra-typings'
import { formatArgentine, MINUTE_MS } from '../../../shared/argentine-time.ts'
import { type Pair, pairKey } from '../../../shared/market/catalog.ts'
import { priceToNumber } from '../../../shared/market/price.ts'
import { explain, type SourceOpinion } from '../../../workers/scraper/guard/explain.ts'
import { adminCommand, type AdminContext } from './command.ts'
import { readCurrentQuotes } from './current-quotes.ts'
import { readPair } from './read-values.ts'

export const guardCommand = adminCommand(
  new Command('guard')
    .summary('Shows what the guard knows of each source of a pair, and the evidence for its word.')
    .description(
      'For each source of a pair: its last word and how long it has said it, how far it usually ' +
        'stands from the value in effect (basis) and strays from there (noise), its usual spread, how ' +
        'often it changes, and its ballot: what each term adds for the word or against it ' +
        '(docs/guard.md).',
    )
    .argument('<PAIR>', 'such as usd/blue', readPair),
  run,
)

async function run([pair]: [Pair], context: AdminContext): Promise<void> {
  const { current, sources, now } = await opinionsOf(pair, context)
  const { print } = context
  print(
    current
      ? `${pairKey(pair)}  ${sides(current)} of ${current.source} since ${formatArgentine(current.updatedAt)}`
      : `${pairKey(pair)}  has no value yet`,
  )
  for (const source of sources) {
    print(lineOf(source, now))
    print(`  ${source.ballot}`)
  }
}

/** What the guard thinks of each source of a pair. */
export async function opinionsOf(pair: Pair, { db, now }: Pick<AdminContext, 'db' | 'now'>) {
  const quotes = await readCurrentQuotes(db)
  const memory = await db.prepare('select guard from scraper_state').first<string>('guard')
  const guard = JSON.parse(memory ?? '{}') as Record<string, unknown>
  const current = quotes.find((quote) => quote.pair === pair) ?? null
  const at = now()
  return { current, now: at, sources: explain(pair, guard[pairKey(pair)], current, quotes, at) }
}

function lineOf(source: SourceOpinion, now: number): string {
  const { name, seenAt, since, basis, noise, spread, interval, opinion } = source
  return [
    `${name}: ${opinion}`,
    `says ${sides(source)} for ${minutes(now - since)}`,
    `heard ${minutes(now - seenAt)} ago`,
    `basis ${basis ? `${percent(basis.buy)} / ${percent(basis.sell)}` : 'not known'}`,
    `noise ${percent(noise)}`,
    `spread ${percent(spread)}`,
    `changes every ${interval} min`,
  ].join('  ')
}

function sides({ buy, sell }: { buy: number; sell: number }): string {
  return `${priceToNumber(buy)}/${priceToNumber(sell)}`
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)} %`
}

function minutes(ms: number): string {
  return `${Math.round(ms / MINUTE_MS)} min`
}
