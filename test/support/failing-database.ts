/** A D1 that is out of reach: every statement can be built and none runs. */
export const failing = (message: string) => answering(() => Promise.reject(new Error(message)))

/** A D1 whose statements never end; `asked` hears of each. */
export const hanging = (asked: () => void) =>
  answering(() => {
    asked()
    return new Promise<never>(() => {})
  })

function answering(refuse: () => Promise<never>): D1Database {
  const statement = { bind: () => statement, all: refuse, first: refuse, raw: refuse, run: refuse }

  return {
    prepare: () => statement,
    batch: refuse,
    exec: refuse,
    withSession: () => answering(refuse),
  } as unknown as D1Database
}
