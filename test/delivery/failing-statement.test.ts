import { applyD1Migrations, reset } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { expectWholeLife } from '../support/delivery-life.ts'
import { env } from '../support/env.ts'

/** Lives in which statements fail: each statement does so in one of them. */
const LIVES = 4

/** The campaign fails every execution of every statement, each in a life of its own. */
it('a whole life of deliveries comes to the same, though every statement fails once', async () => {
  const texts = [...new Set(await expectWholeLife(() => false))]
  const failed = new Set<string>()

  for (let life = 0; life < LIVES; life += 1) {
    await reset()
    await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)
    await expectWholeLife((_, sql) => {
      if (texts.indexOf(sql) % LIVES !== life || failed.has(sql)) return false
      failed.add(sql)
      return true
    })
  }
  expect(failed.size).toBe(texts.length)
}, 60_000)
