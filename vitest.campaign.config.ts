import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'

/** Secrets for tests only: 32 bytes of nothing in particular. */
const SECRETS = {
  KEY_ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 'test key-encryption secret').toString('base64')}`,
}

export default defineConfig(async () => {
  const migrations = [
    ...(await readD1Migrations('migrations')),
    ...(await readD1Migrations('migrations/after')),
  ]

  return {
    plugins: [
      cloudflareTest({
        wrangler: { configPath: './wrangler.toml', environment: 'standalone' },
        miniflare: {
          bindings: { TEST_MIGRATIONS: migrations, ...SECRETS },
          // test/campaign/sharded-delivery.campaign.ts splits the delivery tables over these.
          d1Databases: ['SHARD_0', 'SHARD_1', 'SHARD_2', 'SHARD_3'],
        },
      }),
    ],
    test: {
      include: ['test/**/*.campaign.ts'],
      setupFiles: ['./test/setup.ts'],
      isolate: false,
    },
  }
})
