import { reset } from 'cloudflare:test'
import { migrate } from './support/env.ts'
import { afterEach, beforeEach, type TestContext } from 'vitest'

/**
 * Path prefixes of tests of pure code. These are more than half of all tests, and making a database
 * would take most of their time. A test here that uses storage finds no table.
 */
const WITHOUT_STORAGE = [
  'test/clients/',
  'test/scraper/collect/',
  'test/scraper/guard/',
  'test/scraper/pairs/',
  'test/scraper/sources/',
  'test/shared/access/',
  'test/shared/alerts/',
  'test/shared/argentine-time.',
  'test/shared/board/',
  'test/shared/crypto/',
  'test/shared/market/',
  'test/shared/webhooks/destination.',
]

function needsStorage({ task }: TestContext): boolean {
  return !WITHOUT_STORAGE.some((path) => task.file.name.startsWith(path))
}

beforeEach(async (context) => {
  if (!needsStorage(context)) return
  // After a test with open streams the reset may interrupt the migrations, which D1 then repeats.
  await migrate().catch(async () => {
    await reset()
    await migrate()
  })
})
afterEach(async (context) => {
  if (needsStorage(context)) await reset()
})
