/** The chain of manifests in D1: reads the last one and appends the next. */
import {
  argentineDay,
  type Day,
  formatArgentine,
  formatUtc,
  type Instant,
} from '../../../shared/argentine-time.ts'
import type { RecordedCorrection } from '../../../shared/board/record.ts'
import { CORRECTION_COLUMNS, type StoredCorrection } from '../../../shared/db/quotes/corrections.ts'
import { pairById } from '../../../shared/market/catalog.ts'
import { priceToNumber } from '../../../shared/market/price.ts'

/** What the next manifest needs of the last. */
export interface LastManifest {
  number: number
  name: string
  day: Day
  revision: number
  lastCorrection: number
  builtAt: Instant
  body: string
  sha256: string
  signature: string | null
  published: string
}

/** The revision of the past, and the last manifest; one query of two rows. */
export async function readRecord(
  db: D1Database,
): Promise<{ revision: number; last: LastManifest | null }> {
  const row = await db
    .prepare(
      `select coalesce((select revision from history_revision), 0) as current, last.number, last.name,
         last.day, last.revision, last.last_correction as lastCorrection, last.built_at as builtAt,
         last.body, last.sha256, last.signature, last.published
       from (select 1) left join (select * from manifests order by number desc limit 1) as last`,
    )
    .first<{ current: number; number: number | null }>()
  const { current, ...last } = row!
  return { revision: current, last: last.number === null ? null : (last as LastManifest) }
}

export interface RecordedState {
  /** How many manifests end on the day. */
  ofDay: number
  /** The SHA-256 of every recorded day's file. */
  days: Map<Day, string>
  keys: StoredKey[]
}

export interface StoredKey {
  id: string
  publicKey: string
  firstUsedAt: Instant
}

export async function readRecorded(db: D1Database, day: Day): Promise<RecordedState> {
  const [names, days, keys] = await db.batch([
    // The names of this day by the index: a dot comes before a slash.
    db
      .prepare(`select count(*) as ofDay from manifests where name >= ?1 and name < ?1 || '/'`)
      .bind(day),
    db.prepare('select json_group_array(json_array(day, sha256)) as days from record_days'),
    db.prepare(
      `select id, public_key as publicKey, first_used_at as firstUsedAt from record_keys
       order by first_used_at, id`,
    ),
  ])
  return {
    ofDay: (names!.results[0] as { ofDay: number }).ofDay,
    days: new Map(JSON.parse((days!.results[0] as { days: string }).days) as [Day, string][]),
    keys: keys!.results as unknown as StoredKey[],
  }
}

/** A correction, and the days whose files it changes. */
export interface ReachingCorrection {
  id: number
  correction: RecordedCorrection
  from: Day
  to: Day
}

/**
 * The corrections after the one with this id, oldest first. Each changes the files from the day of
 * its point to the day of the pair's next point.
 */
export async function correctionsAfter(db: D1Database, id: number): Promise<ReachingCorrection[]> {
  const { results } = await db
    .prepare(
      `select id, pair, ${CORRECTION_COLUMNS},
         (select min(at) from points where pair = corrections.pair and at > point_at) as until
       from corrections where id > ? order by id`,
    )
    .bind(id)
    .all<CorrectionRow>()
  return results.flatMap((row) => {
    const pair = pairById(row.pair)
    if (!pair) return []
    const { id, at, action, reason, madeAt, until } = row
    const correction = {
      currency: pair.currency,
      origin: pair.origin,
      at: formatArgentine(at),
      action,
      before: { buy: priceToNumber(row.oldBuy), sell: priceToNumber(row.oldSell) },
      after:
        row.newBuy === null || row.newSell === null
          ? null
          : { buy: priceToNumber(row.newBuy), sell: priceToNumber(row.newSell) },
      reason,
      madeAt: formatUtc(madeAt),
    }
    // A day's file has the value in effect when the day begins. So the day of the next point has
    // the corrected value too, unless that point is at the day's first instant.
    const to = until === null ? '9999-12-31' : argentineDay(until - 1)
    return { id, correction, from: argentineDay(at), to }
  })
}

type CorrectionRow = StoredCorrection & { id: number; pair: number; until: Instant | null }

/** The id of the last correction; 0 when there is none. */
export async function lastCorrectionId(db: D1Database): Promise<number> {
  const row = await db
    .prepare('select max(id) as id from corrections')
    .first<{ id: number | null }>()
  return row?.id ?? 0
}

export interface NextManifest extends LastManifest {
  firstDay: Day
  /** The days whose SHA-256 is new or changed. */
  changed: [Day, string][]
  /** The key that signed it. */
  key: StoredKey | null
}

/**
 * Appends a manifest, completely or not at all. False when another was written meanwhile, or when
 * the past changed since it was read.
 */
export async function appendManifest(db: D1Database, next: NextManifest): Promise<boolean> {
  const { number, name, day, revision, sha256, key } = next
  const mine = `exists (select 1 from manifests where number = ?1 and sha256 = ?2)`
  const [inserted] = await db.batch([
    db
      .prepare(
        `insert into manifests (number, name, day, revision, last_correction, built_at, body, sha256,
           signature, published)
         select ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10
         where (select coalesce(max(number), 0) from manifests) = ?1 - 1
           and (select coalesce(max(revision), 0) from history_revision) = ?4
         returning number`,
      )
      .bind(
        number,
        name,
        day,
        revision,
        next.lastCorrection,
        next.builtAt,
        next.body,
        sha256,
        next.signature,
        next.published,
      ),
    db
      .prepare(`delete from record_days where (day < ?3 or day > ?4) and ${mine}`)
      .bind(number, sha256, next.firstDay, day),
    db
      .prepare(
        `insert into record_days (day, sha256)
         select value ->> 0, value ->> 1 from json_each(?3) where ${mine}
         on conflict (day) do update set sha256 = excluded.sha256`,
      )
      .bind(number, sha256, JSON.stringify(next.changed)),
    db
      .prepare(
        `insert into record_keys (id, public_key, first_used_at)
         select ?3, ?4, ?5 where ?3 is not null and ${mine}
         on conflict (id) do nothing`,
      )
      .bind(number, sha256, key?.id ?? null, key?.publicKey ?? null, key?.firstUsedAt ?? null),
  ])
  return inserted!.results.length > 0
}
