import { applyD1Migrations, reset } from 'cloudflare:test'
import { env } from './support/env.ts'
import { afterEach, beforeEach } from 'vitest'

beforeEach(() => applyD1Migrations(env.DB, env.TEST_MIGRATIONS))
afterEach(() => reset())
