import type { D1Migration } from 'cloudflare:test'
import type { Secrets } from '../../shared/config/config.ts'
import { env as untyped } from 'cloudflare:workers'

interface TestBindings {
  TEST_MIGRATIONS: D1Migration[]
  /** Not in the campaign. See database-template.ts. */
  DATABASE_TEMPLATE?: Fetcher
}

/** Every binding of every Worker: tests run in the environment `standalone`. */
export const env = untyped as Cloudflare.StandaloneEnv & Secrets & TestBindings
