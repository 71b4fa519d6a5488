/** Checks what is derived from points against the points, for the last week only. */
import { RETENTION_MS } from '../../../../shared/db/deliveries/open.ts'
import { LAST_SCRAPED } from '../../../../shared/db/quotes/last-scraped.ts'
import { DAY_MS } from '../../../../shared/argentine-time.ts'
import { type Check, CLOCK_SLACK_MS, foundBroken } from './check.ts'
import { EVERY_PAIR, pairName, sqlCheck, utc } from './sql-check.ts'
import { MANIFEST_KEY, parseManifest } from '../../../../shared/board/archive.ts'
import { BOARD_KEY, parseBoard } from '../../../../shared/board/board.ts'
import { readMode } from '../../../../shared/db/quotes/service-mode.ts'

/** The last point of the row's pair before an instant, or at it. */
const pointBefore = (column: string, instant: string) =>
  `(select p.${column} from points p where p.pair = c.pair and ${instant} order by p.at desc limit 1)`

/** The Argentine midnight at or before an instant. */
const midnight = (at: string) => `(${at} - (${at} - 10800000) % 86400000)`

const RECENT = `at > (select now from given) - ${RETENTION_MS}`

/** Made by a cycle, not by hand or from a file. */
const SCRAPED = `source not like 'import:%' and source <> 'correction'`

export const quoteChecks: readonly Check[] = [
  sqlCheck(
    'every current row is its pair’s last point',
    // A pair that was only imported has no current row before its first cycle.
    `select ${pairName('pairs.value')}, case
       when c.pair is null then coalesce((select source not like 'import:%' from points p
         where p.pair = pairs.value order by p.at desc limit 1), 0)
       else coalesce((select (p.at, p.buy, p.sell) <> (c.updated_at, c.buy, c.sell) from points p
         where p.pair = c.pair order by p.at desc limit 1), 1) end
     from ${EVERY_PAIR} pairs left join current_quotes c on c.pair = pairs.value`,
  ),
  sqlCheck(
    'every current row refers to the last sell before its day',
    `select ${pairName('c.pair')},
       c.reference_sell is not ${pointBefore('sell', `p.at < ${midnight('c.updated_at')}`)}
     from current_quotes c`,
  ),
  sqlCheck(
    'no current row was confirmed before its value was first seen',
    `select ${pairName('pair')}, ${LAST_SCRAPED} < updated_at from current_quotes q`,
  ),
  sqlCheck(
    'every point of the last week changes its pair’s value',
    `select ${pairName('c.pair')} || ' at ' || ${utc('c.at')},
       coalesce((select (p.buy, p.sell) = (c.buy, c.sell) from points p
         where p.pair = c.pair and p.at < c.at order by p.at desc limit 1), 0)
     from points c where pair in (select value from ${EVERY_PAIR}) and ${RECENT} and ${SCRAPED}`,
  ),
  sqlCheck(
    'every day’s candle of the last week is made of its points',
    `select ${pairName('coalesce(k.pair, m.pair)')} || ' on ' || coalesce(k.day, m.day),
       k.pair is null or m.pair is null or (k.open, k.high, k.low, k.close, k.buy) <>
         (m.open, max(m.high, m.open), min(m.low, m.open), m.close, m.buy)
       or (k.buy_open, k.buy_high, k.buy_low) <>
         (m.buy_open, max(m.buy_high, m.buy_open), min(m.buy_low, m.buy_open))
     from (${candlesMade()}) m
       full join (select * from daily_candles where day >= ${firstDay()}) k
         on k.pair = m.pair and k.day = m.day`,
  ),
  sqlCheck(
    'every day’s availability adds up to the day',
    // Each cycle accounts for the time since the one before. The first day began with the first
    // cycle, and today is not over.
    `select day, min(ok, degraded, down) < 0 or ok + degraded + down > ${DAY_MS}
       or day > date(((select now from given) + ${CLOCK_SLACK_MS} - 10800000) / 1000, 'unixepoch')
       or (coalesce(lag(day) over w = date(day, '-1 day'), 0) and lead(day) over w is not null
         and ok + degraded + down <> ${DAY_MS})
     from availability window w as (order by day)`,
  ),
]

function candlesMade(): string {
  return `select c.pair, c.day, c.high, c.low, last.sell as close, last.buy, c.buy_high, c.buy_low,
      coalesce(${pointBefore('sell', `p.at <= ${midnight('c.first_at')}`)}, first.sell) as open,
      coalesce(${pointBefore('buy', `p.at <= ${midnight('c.first_at')}`)}, first.buy) as buy_open
    from (select pair, date((at - 10800000) / 1000, 'unixepoch') as day, min(at) as first_at,
        max(at) as last_at, max(sell) as high, min(sell) as low, max(buy) as buy_high,
        min(buy) as buy_low
      from points where pair in (select value from ${EVERY_PAIR})
        and at >= ${midnight(`((select now from given) - ${RETENTION_MS})`)}
      group by 1, 2) c
    join points first on first.pair = c.pair and first.at = c.first_at
    join points last on last.pair = c.pair and last.at = c.last_at`
}

function firstDay(): string {
  return `date(((select now from given) - ${RETENTION_MS} - 10800000) / 1000, 'unixepoch')`
}

/** The mode that a point tells by its source; null of imports and corrections, which may be of any. */
const MODE_OF_POINT = `case
  when source like 'demo:%' or source like 'import:demo-%' then 'demo'
  when source like 'upstream:%' then 'upstream'
  when source like 'import:%' or source = 'correction' then null
  else 'live' end`

export const modeChecks: readonly Check[] = [
  sqlCheck(
    'every point is of the state’s mode: none is simulated among real ones',
    `select ${pairName('pairs.value')} || ' from ' || ${utc('first')}, first is not null
     from ${EVERY_PAIR} pairs left join (
       select pair, min(at) as first from points
       where ${MODE_OF_POINT} <> coalesce((select mode from service_mode), '') group by pair
     ) on pair = pairs.value`,
  ),
  {
    name: 'the board and the nightly files are of the state’s mode',
    async run({ db, kv }) {
      const mode = await readMode(db)
      const shown = [
        { name: 'the board', mode: parseBoard(await kv.get(BOARD_KEY))?.mode },
        { name: 'the nightly files', mode: parseManifest(await kv.get(MANIFEST_KEY))?.mode },
      ].filter((document) => document.mode !== undefined)
      return foundBroken(
        shown.length,
        shown.filter((document) => document.mode !== mode).map(({ name }) => name),
      )
    },
  },
]
