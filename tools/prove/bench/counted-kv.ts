/** A KV that counts its calls. Miniflare's stub takes bytes as a buffer, and has no list. */
export function countedKv(stored: KVNamespace) {
  const counts = { read: 0, written: 0, removed: 0 }
  const names = new Set<string>()
  const kv = {
    get: (name: string) => {
      counts.read++
      return stored.get(name)
    },
    async put(name: string, value: string | Uint8Array) {
      counts.written++
      names.add(name)
      await stored.put(name, typeof value === 'string' ? value : value.slice().buffer)
    },
    async delete(name: string) {
      counts.removed++
      names.delete(name)
      await stored.delete(name)
    },
    list: async ({ prefix }: KVNamespaceListOptions) => ({
      keys: [...names].filter((name) => name.startsWith(prefix ?? '')).map((name) => ({ name })),
    }),
  } as unknown as KVNamespace
  return { kv, counts }
}
