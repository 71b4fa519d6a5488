import { type Day, dayEnd, dayStart, type Instant } from '../../../shared/argentine-time.ts'
import { CORRECTION_COLUMNS, type StoredCorrection } from '../../../shared/db/quotes/corrections.ts'
import type { Pair } from '../../../shared/market/catalog.ts'
import type { QuotedPoint } from '../../../shared/market/quoted-point.ts'

/** What a printed page shows of a pair at an instant, and its proof. */
export interface Evidence {
  /** In effect at the instant; null when there was no value yet. */
  point: (QuotedPoint & { source: string }) | null
  /** Corrections of the day's values and of the value in effect when it began, oldest first. */
  corrections: StoredCorrection[]
  /** The SHA-256 of the day's file; null while no manifest names the day. */
  daySum: string | null
  /** The last manifest; null before the first night. */
  manifest: { name: string; sha256: string; key: string | null } | null
}

/** Everything in one round trip, so that value and proof are of one moment. */
export async function readEvidence(
  db: D1Database,
  { pair, day, instant }: { pair: Pick<Pair, 'id'>; day: Day; instant: Instant },
): Promise<Evidence> {
  const [points, corrections, days, manifests] = await db.batch([
    db
      .prepare(
        'select at, buy, sell, source from points where pair = ?1 and at <= ?2 order by at desc limit 1',
      )
      .bind(pair.id, instant),
    db
      .prepare(
        `select ${CORRECTION_COLUMNS} from corrections where pair = ?1 and point_at <= ?3 and point_at >= coalesce(
           (select max(at) from points where pair = ?1 and at <= ?2), ?2)
         order by id`,
      )
      .bind(pair.id, dayStart(day), dayEnd(day)),
    db.prepare('select sha256 from record_days where day = ?').bind(day),
    db.prepare(
      `select name, sha256, body ->> 'key' as key from manifests order by number desc limit 1`,
    ),
  ])
  const [of] = days!.results as { sha256: string }[]
  return {
    point: (points!.results as unknown as Evidence['point'][])[0] ?? null,
    corrections: corrections!.results as unknown as StoredCorrection[],
    daySum: of?.sha256 ?? null,
    manifest: (manifests!.results as unknown as Evidence['manifest'][])[0] ?? null,
  }
}
