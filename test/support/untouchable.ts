/** A binding that fails the test when it is touched. */
export const untouchable = new Proxy({} as D1Database & KVNamespace, {
  get() {
    throw new Error('storage was touched')
  },
})
