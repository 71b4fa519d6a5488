import { setTimeout as sleep } from 'node:timers/promises'

const ATTEMPTS = 40
const WAIT_MS = 100

/** Methods that reach the database; all others only build a statement. */
const REACHES = new Set<string | symbol>(['run', 'all', 'first', 'raw', 'batch', 'exec'])

const busy = /SQLITE_BUSY|database is locked/

/**
 * The same database, but an operation that meets the lock of the running service is tried again,
 * for about four seconds. Safe for any statement: a refused one has changed nothing.
 */
export function retryWhenBusy(db: D1Database, wait: () => Promise<unknown> = () => sleep(WAIT_MS)) {
  return wrap(db, wait)
}

/** What a wrapped statement stands for, so that `batch` can hand the real one down. */
const wrapped = new WeakMap<object, object>()

function wrap<Target extends object>(target: Target, wait: () => Promise<unknown>): Target {
  const proxy = new Proxy(target, {
    get(_, name) {
      const member = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      if (REACHES.has(name))
        return (...args: unknown[]) =>
          retry(() => member.apply(target, args.map(unwrap)) as Promise<unknown>, wait)

      return (...args: unknown[]) => {
        const made = member.apply(target, args) as unknown
        return name === 'prepare' || name === 'bind' ? wrap(made as object, wait) : made
      }
    },
  })
  wrapped.set(proxy, target)
  return proxy
}

function unwrap(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unwrap)
  return typeof value === 'object' && value !== null ? (wrapped.get(value) ?? value) : value
}

async function retry(operation: () => Promise<unknown>, wait: () => Promise<unknown>) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await operation()
    } catch (error) {
      if (attempt === ATTEMPTS || !busy.test(String(error))) throw error
      await wait()
    }
  }
}
