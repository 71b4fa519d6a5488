/** A database whose process dies before its n-th batch: that one and all after it never happen. */
export function dyingDatabase(db: D1Database, batches: number): D1Database {
  let left = batches
  return {
    prepare: (sql: string) => db.prepare(sql),
    batch(statements: D1PreparedStatement[]) {
      if (left-- <= 0) throw new Error('cut short')
      return db.batch(statements)
    },
  } as unknown as D1Database
}
