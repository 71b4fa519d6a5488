import { defineConfig } from 'vitest/config'

/** Tests against recordings beside the repository: `npm run test:recordings`. Fails without them. */
export default defineConfig({
  test: {
    silent: 'passed-only',
    include: ['test/recordings/**/*.test.ts'],
    globalSetup: ['test/recordings/setup.ts'],
    // Fourteen months in five-minute cycles, perhaps beside other work.
    testTimeout: 240_000,
    hookTimeout: 120_000,
  },
})
