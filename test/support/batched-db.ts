import { env } from './env.ts'

/** A database whose `batch` does something around what it does. */
export function aroundBatch(
  around: (
    run: () => Promise<D1Result[]>,
    statements: D1PreparedStatement[],
  ) => Promise<D1Result[]>,
  db: D1Database = env.DB,
): D1Database {
  return new Proxy(db, {
    get(target, name) {
      if (name === 'batch')
        return (statements: D1PreparedStatement[]) =>
          around(() => target.batch(statements), statements)
      const value = Reflect.get(target, name) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** The real database, but what its `nth` batch does besides: before it is applied, and after. */
export function withBatch(
  nth: number,
  { before, after }: { before?: () => void; after?: () => void },
): D1Database {
  let calls = 0
  return aroundBatch(async (run) => {
    const isIt = ++calls === nth
    if (isIt) before?.()
    const results = await run()
    if (isIt) after?.()
    return results
  })
}

export function loseConnection(): never {
  throw new Error('D1_ERROR: Network connection lost.')
}
