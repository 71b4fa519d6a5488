import { Command } from '@commander-js/extra-typings'
import { formatArgentine, MINUTE_MS } from '../../../shared/argentine-time.ts'
import { type Pair, pairKey } from '../../../shared/market/catalog.ts'
import { priceToNumber } from '../../../shared/market/price.ts'
import { explain, type SourceOpinion } from '../../../workers/scraper/guard/explain.ts'
import { adminCommand, type AdminContext } from './command.ts'
import { readCurrentQuotes } from './current-quotes.ts'
import { readPair } from './words.ts'

export const guardCommand = adminCommand(
  new Command('guard')
    .summary('Shows what the guard knows of each source of a pair, what it thinks of it and why.')
    .description(
      'For each source of a pair: its last word, how old it is, how far it usually stands from the ' +
        'value in effect (basis), the distance that proves something against another source (noise), ' +
        'between what its spread usually lies, how often it changes, and the rule that doubts it. The ' +
        'rules are explained in docs/guard.md.',
    )
    .argument('<PAIR>', 'such as usd/blue', readPair),
  run,
)

async function run([pair]: [Pair], { db, now, print }: AdminContext): Promise<void> {
  const quotes = await readCurrentQuotes(db)
  const memory = await db.prepare('select guard from scraper_state').first<string>('guard')
  const guard = JSON.parse(memory ?? '{}') as Record<string, unknown>
  const current = quotes.find((quote) => quote.pair === pair) ?? null
  const at = now()
  const { sources, hold, offRelatives } = explain(pair, guard[pairKey(pair)], current, quotes, at)

  print(
    current
      ? `${pairKey(pair)}  ${sides(current)} of ${current.source} since ${formatArgentine(current.updatedAt)}`
      : `${pairKey(pair)}  has no value yet`,
  )
  print(`against its relatives: ${offRelatives === null ? 'not known' : percent(offRelatives)}`)
  print(
    hold
      ? `held: ${sides(hold)} of ${hold.source} for ${hold.cycles} cycles (${hold.reason})`
      : 'held: nothing',
  )
  for (const source of sources) print(lineOf(source, at))
}

function lineOf(source: SourceOpinion, now: number): string {
  const { name, seenAt, changedAt, basis, noise, spread, interval, opinion } = source
  return [
    `${name}: ${opinion}`,
    `says ${sides(source)}`,
    `heard ${minutes(now - seenAt)} ago`,
    changedAt === null ? 'never changed' : `changed ${minutes(now - changedAt)} ago`,
    `basis ${basis ? `${percent(basis.buy)} / ${percent(basis.sell)}` : 'not known'}`,
    `noise ${noise === 0 ? 'not known' : percent(noise)}`,
    `spread ${spread ? `${percent(spread.low)} to ${percent(spread.high)}` : 'not known'}`,
    `changes every ${interval === null ? '?' : interval} cycles`,
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
