import { defineConfig } from 'vitest/config'

/** The part of the campaign that waits on real time around the whole service. */
export default defineConfig({
  test: {
    silent: 'passed-only',
    include: ['test/campaign/node/**/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 60_000,
  },
})
