import { defineConfig } from 'vitest/config'

/** Tests that need Node around the Workers: the whole service started, real sockets, tools. */
export default defineConfig({
  test: {
    silent: 'passed-only',
    include: ['test/node/**/*.test.ts'],
    // Most of them wait for processes and sockets.
    maxWorkers: 3,
    testTimeout: 60_000,
    // As long as a start may take on a busy machine.
    hookTimeout: 180_000,
    passWithNoTests: true,
  },
})
