/** The chain of manifests, and the days that it names, against the points. */
import type { RecordManifest } from '../../../../shared/board/record.ts'
import { fromBase64 } from '../../../../shared/crypto/base64.ts'
import { sha256 } from '../../../../shared/crypto/sha256.ts'
import { readDayFiles } from '../../../../shared/db/quotes/day-files.ts'
import { historyRevision } from '../../../../shared/db/quotes/history-revision.ts'
import { type Check, type Finding, foundBroken, type Scope } from './check.ts'

/** Manifests in one query: some kilobytes each. */
const PAGE = 100

interface Row {
  number: number
  name: string
  body: string
  sha256: string
  signature: string | null
  publicKey: string | null
}

export const recordChecks = [
  {
    name: 'every manifest is the bytes of its sum, names the one before it, and is signed by its key',
    async run({ db }: Pick<Scope, 'db'>): Promise<Finding> {
      let last: Row | null = null
      let checked = 0
      const broken: string[] = []
      for await (const row of manifests(db)) {
        checked++
        if (!(await isSound(row, last))) broken.push(row.name)
        last = row
      }
      return foundBroken(checked, broken)
    },
  },
  {
    name: 'every day of the record has the file that it names',
    async run({ db }: Pick<Scope, 'db'>): Promise<Finding> {
      const last = await db
        .prepare('select revision from manifests order by number desc limit 1')
        .first<{ revision: number }>()
      if (last && last.revision !== (await historyRevision(db)))
        return {
          kind: 'not checked',
          why: 'history changed since the last files: they come within minutes',
        }

      const { results } = await db
        .prepare('select day, sha256 from record_days order by day')
        .all<{ day: string; sha256: string }>()
      if (results.length === 0) return foundBroken(0, [])
      const recorded = new Map(results.map(({ day, sha256 }) => [day, sha256]))
      const broken: string[] = []
      for await (const { day, text } of readDayFiles(db, results[0]!.day, results.at(-1)!.day))
        if (recorded.get(day) !== (await sha256(text))) broken.push(day)
      return foundBroken(results.length, broken)
    },
  },
] satisfies readonly Check[]

async function* manifests(db: D1Database): AsyncGenerator<Row> {
  for (let after = 0; ;) {
    const { results } = await db
      .prepare(
        `select number, name, body, sha256, signature, (select public_key from record_keys
           where id = body ->> 'key') as publicKey
         from manifests where number > ? order by number limit ${PAGE}`,
      )
      .bind(after)
      .all<Row>()
    yield* results
    if (results.length < PAGE) return
    after = results.at(-1)!.number
  }
}

async function isSound(row: Row, last: Row | null): Promise<boolean> {
  const { number, key, previous } = JSON.parse(row.body) as RecordManifest
  if (number !== row.number || number !== (last?.number ?? 0) + 1) return false
  if (previous?.sha256 !== last?.sha256 || (await sha256(row.body)) !== row.sha256) return false
  if (key === null || row.signature === null) return key === row.signature
  return row.publicKey !== null && (await isSigned(row.body, row.signature, row.publicKey))
}

async function isSigned(body: string, signature: string, x: string): Promise<boolean> {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x }
  const key = await crypto.subtle.importKey('jwk', jwk, 'Ed25519', false, ['verify'])
  const bytes = new TextEncoder().encode(body)
  return crypto.subtle.verify('Ed25519', key, fromBase64(signature)!, bytes)
}
