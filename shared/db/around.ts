/** The methods that call the database. All others only build a statement. */
const REACHES = new Set<string | symbol>(['run', 'all', 'first', 'raw', 'batch', 'exec'])

/** One call of the database. It may be repeated. */
type Call = () => Promise<unknown>

/** The real statement of each wrapped one, which `batch` needs. */
const wrapped = new WeakMap<object, object>()

/** The same database, with every call passed through `around`. */
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

function unwrap(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unwrap)
  return typeof value === 'object' && value !== null ? (wrapped.get(value) ?? value) : value
}
