/** A D1 that is out of reach: every statement can be built and none runs. */
export function failing(message: string): D1Database {
  const refuse = () => Promise.reject(new Error(message))
  const statement = { bind: () => statement, all: refuse, first: refuse, raw: refuse, run: refuse }

  return {
    prepare: () => statement,
    batch: refuse,
    exec: refuse,
    withSession: () => failing(message),
  } as unknown as D1Database
}
