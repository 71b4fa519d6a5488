import type { D1Migration } from 'cloudflare:test'
import { env as untyped } from 'cloudflare:workers'

/** Every binding of every Worker: tests run in the environment `standalone`. */
export const env = untyped as Cloudflare.StandaloneEnv & { TEST_MIGRATIONS: D1Migration[] }
