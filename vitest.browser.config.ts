import { defineConfig } from 'vitest/config'

/** Tests in a real browser against the real service: `npm run test:browser`. Needs Chromium. */
export default defineConfig({
  test: {
    silent: 'passed-only',
    include: ['test/browser/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
