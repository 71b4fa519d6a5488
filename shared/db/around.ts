/** The methods that call the database. All other methods only build a statement. */
const REACHES = new Set<string | symbol>(['run', 'all', 'first', 'raw', 'batch', 'exec'])

/** Calls the database once. `around` may repeat the call. */
type Call = () => Promise<unknown>

/** The real statement of each wrapped statement, which `batch` needs. */
const wrapped = new WeakMap<object, object>()

/** A database that passes each of its calls through `around`. */
export function aroundDatabase<Target extends object>(
  target: Target,
  around: (call: Call) => Promise<unknown>,
): Target {
  const proxy = new Proxy(target, {
    get(_, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      if (REACHES.has(name))
        return (...args: unknown[]) =>
          around(() => member.apply(target, args.map(unwrap)) as Promise<unknown>)

      return (...args: unknown[]) => {
        const made = member.apply(target, args) as unknown
        return name === 'prepare' || name === 'bind' ? aroundDatabase(made as object, around) : made
      }
    },
  })
  wrapped.set(proxy, target)
  return proxy
}

/**
 * Wraps the database for one request, to know whether a call has failed. Needed because code in
 * between, such as the sign-in library, may swallow or replace an error.
 */
export function trackFailures(db: D1Database): { db: D1Database; failed: () => boolean } {
  let hasFailed = false

  return {
    db: aroundDatabase(db, async (call) => {
      try {
        return await call()
      } catch (error) {
        hasFailed = true
        throw error
      }
    }),
    failed: () => hasFailed,
  }
}

function unwrap(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unwrap)
  return typeof value === 'object' && value !== null ? (wrapped.get(value) ?? value) : value
}
