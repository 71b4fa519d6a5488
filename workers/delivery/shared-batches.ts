/** The part of a database that deliveries write through. */
type Batches = Pick<D1Database, 'batch'>

interface Waiting {
  statements: D1PreparedStatement[]
  resolve: (results: D1Result[]) => void
  reject: (error: unknown) => void
}

/** Most calls in one batch: a transaction stays short, and a failure costs few. */
const MAX_CALLS = 24

/**
 * The database with `batch` calls shared: those that come while one is under way go together in the
 * next, in their order, as one transaction and one round trip. A batch that fails is tried again
 * call by call, so that a call never fails for what another one asked. For one invocation: what it
 * waits for must not belong to another.
 *
 * A call may so run twice when the answer of the first time was lost; those of deliveries carry
 * their own fence.
 */
export function shareBatches(db: D1Database): D1Database {
  const waiting: Waiting[] = []
  let isRunning = false

  async function run(): Promise<void> {
    isRunning = true
    // Those of the same turn go together from the start.
    await Promise.resolve()
    while (waiting.length > 0) await runTogether(db, waiting.splice(0, MAX_CALLS))
    isRunning = false
  }

  function batch(statements: D1PreparedStatement[]): Promise<D1Result[]> {
    return new Promise((resolve, reject) => {
      waiting.push({ statements, resolve, reject })
      if (!isRunning) void run()
    })
  }

  return new Proxy(db, {
    get(target, name) {
      if (name === 'batch') return batch
      const value = Reflect.get(target, name) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

async function runTogether(db: Batches, calls: readonly Waiting[]): Promise<void> {
  try {
    const results = await db.batch(calls.flatMap(({ statements }) => statements))
    let start = 0
    for (const { statements, resolve } of calls)
      resolve(results.slice(start, (start += statements.length)))
  } catch (error) {
    if (calls.length === 1) return calls[0]!.reject(error)
    for (const call of calls) await runTogether(db, [call])
  }
}
