import { defineConfig } from 'vitest/config'

/** Tests that need Node around the Workers: the whole service started, real sockets, tools. */
export default defineConfig({
  test: {
    silent: 'passed-only',
    include: ['test/node/**/*.test.ts'],
    // Most of them wait for processes and sockets.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    passWithNoTests: true,
  },
})
