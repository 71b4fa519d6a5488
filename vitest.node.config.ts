import { defineConfig } from 'vitest/config'

/** Tests that need Node around the Workers: the whole service started, real sockets, tools. */
export default defineConfig({
  test: {
    silent: 'passed-only',
    include: ['test/node/**/*.test.ts'],
    // Most of them wait for processes and sockets.
    maxWorkers: 3,
    // On a busy machine one start takes most of a minute, and a test may make two.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    passWithNoTests: true,
  },
})
