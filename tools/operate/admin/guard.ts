import { Command } from '@commander-js/extra-typings'
import { formatArgentine, MINUTE_MS } from '../../../shared/argentine-time.ts'
import { currentQuotes, currentQuotesStatement } from '../../../shared/db/quotes/quotes.ts'
import { type Pair, pairKey } from '../../../shared/market/catalog.ts'
import { priceToNumber } from '../../../shared/market/price.ts'
import { scoreLine, scoreOf } from '../../../workers/scraper/guard/evidence.ts'
import {
  type Context,
  definerOf,
  factsOf,
  isFresh,
  isKnown,
} from '../../../workers/scraper/guard/facts.ts'
import { mapSides } from '../../../workers/scraper/guard/level.ts'
import {
  MILLION,
  NEW_MEMORY,
  parseGuard,
  type SourceMemory,
} from '../../../workers/scraper/guard/memory.ts'
import { type AdminContext, run } from './command.ts'
import { readPair } from './read-values.ts'

export const guardCommand = new Command('guard')
  .description(
    'Shows what the guard knows about each source of a pair: its last reading and for how long it has ' +
      'not changed, its usual offset from the value in effect (basis), its usual deviation from this ' +
      'offset (noise), its usual spread, how often it changes, and the evidence for and against its ' +
      'reading (docs/guard.md).',
  )
  .argument('<PAIR>', 'such as usd/blue', readPair)
  .action(
    run(async (context, pair) => {
      const { current, sources, now } = await opinionsOf(pair, context)
      context.print(
        current
          ? `${pairKey(pair)}  ${sides(current)} of ${current.source} since ${formatArgentine(current.updatedAt)}`
          : `${pairKey(pair)}  has no value yet`,
      )
      for (const source of sources) {
        context.print(lineOf(source, now))
        context.print(`  ${source.evidence}`)
      }
    }),
  )

/** What the guard has learned about each source of a pair. */
export async function opinionsOf(pair: Pair, { db, now }: Pick<AdminContext, 'db' | 'now'>) {
  const market = currentQuotes(await currentQuotesStatement(db).all())
  const stored = await db.prepare('select guard from scraper_state').first<string>('guard')
  const memory = parseGuard(stored)[pairKey(pair)] ?? NEW_MEMORY
  const current = market.find((quote) => quote.pair === pair) ?? null
  const context = { pair, current, memory, market, override: null, now: now() }
  return { current, now: context.now, sources: explain(context) }
}

type SourceOpinion = ReturnType<typeof opinionOf>

/** What the guard knows about each source of a pair, in the pair's order of preference. */
export function explain(context: Context): SourceOpinion[] {
  return context.memory.sources.map((source) => opinionOf(source, context))
}

function opinionOf(source: SourceMemory, context: Context) {
  const { name, buy, sell, seenAt, since, habits } = source
  const by = definerOf(context)?.habits.offset
  return {
    name,
    level: { buy, sell },
    seenAt,
    since,
    /** The offset from the source that defines the value, as a share. Null while unknown. */
    basis: isKnown(source, context)
      ? mapSides((side) => (habits.offset[side] - (by?.[side] ?? 0)) / MILLION)
      : null,
    noise: habits.noise.sell / MILLION,
    spread: habits.spread / MILLION,
    /** Minutes between two changes. */
    interval: habits.interval,
    state: stateOf(source, context),
    /** The evidence for the last reading, in one line. */
    evidence: scoreLine(scoreOf(factsOf(source, context))),
  }
}

function stateOf(source: SourceMemory, { memory: { held, active }, now }: Context) {
  const { name, leftBehind, doubted } = source
  if (!isFresh(source, now)) return 'silent'
  if (held?.name === name) return 'held'
  if (leftBehind) return 'left behind'
  if (doubted) return 'doubted'
  return active?.name === name ? 'active' : 'good'
}

function lineOf(source: SourceOpinion, now: number): string {
  const { name, level, seenAt, since, basis, noise, spread, interval, state } = source
  return [
    `${name}: ${state}`,
    `${sides(level)} for ${minutes(now - since)}`,
    `read ${minutes(now - seenAt)} ago`,
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
