import { expect, it } from 'vitest'
import { expectWholeLife } from '../support/delivery-life.ts'

/** The failing statements are divided among this many lives. */
const LIVES = 4

/** The campaign instead fails every execution of every statement, each in its own life. */
it('deliveries end the same way whichever statement fails once', async () => {
  const failed = new Set<string>()

  for (let left = LIVES; left > 0; left -= 1) {
    const seen = new Set<string>()
    await expectWholeLife((_, sql) => {
      if (failed.has(sql) || seen.has(sql)) return false
      seen.add(sql)
      // A quarter of all, a third of the rest, half of that, and in the last life all that remain.
      if (seen.size % left > 0) return false
      failed.add(sql)
      return true
    })
  }
  expect(failed.size).toBeGreaterThan(40)
})
