import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'
import { createDatabaseTemplate } from './test/support/database-template.ts'
import { keepFilesInMemory } from './tools/test-suites/files-in-memory.ts'

keepFilesInMemory()

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
          serviceBindings: { DATABASE_TEMPLATE: createDatabaseTemplate() },
        },
      }),
    ],
    test: {
      // The structured logs of what a test provokes are noise unless it fails.
      silent: 'passed-only' as const,
      include: ['test/**/*.test.ts'],
      exclude: ['test/node/**', 'test/browser/**', 'test/campaign/node/**', 'test/recordings/**'],
      setupFiles: ['./test/setup.ts'],
      isolate: false,
      // Floods of requests beside the other suite, on two cores.
      testTimeout: 20_000,
    },
  }
})
