import type { D1Migration } from 'cloudflare:test'
import type { Secrets } from '../../shared/crypto/secrets.ts'
import { env as untyped } from 'cloudflare:workers'

/** Every binding of every Worker: tests run in the environment `standalone`. */
export const env = untyped as Cloudflare.StandaloneEnv &
  Secrets & { TEST_MIGRATIONS: D1Migration[] }
