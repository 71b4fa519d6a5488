declare const ROW: unique symbol

/** A bound statement with the type of its rows. Any statement is assignable to it. */
export interface Statement<Row = unknown> extends D1PreparedStatement {
  readonly [ROW]?: Row
}

type Batch = Readonly<Record<string, Statement | readonly Statement[]>>

type Results<Named extends Batch> = {
  -readonly [Name in keyof Named]: Named[Name] extends Statement<infer Row>
    ? D1Result<Row>
    : Named[Name] extends readonly Statement<infer Row>[]
      ? D1Result<Row>[]
      : never
}

/** The results of the batch that a function returns. */
export type ResultsOf<Make extends (...args: never[]) => Batch> = Results<ReturnType<Make>>

/**
 * Runs statements in one transaction, in the order of their names, and returns each result under
 * its statement's name. For a list of statements, returns a list of results.
 */
export async function namedBatch<const Named extends Batch>(
  db: D1Database,
  statements: Named,
): Promise<Results<Named>> {
  const results = (await db.batch(Object.values(statements).flat())).values()
  const next = () => results.next().value
  const named = Object.entries(statements).map(([name, given]) => [
    name,
    Array.isArray(given) ? given.map(next) : next(),
  ])
  return Object.fromEntries(named) as Results<Named>
}
