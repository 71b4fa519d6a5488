import { execFileSync } from 'node:child_process'
import { existsSync, statfsSync } from 'node:fs'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'
import { STANDALONE, STANDALONE_OPTIONS } from './tools/operate/start/build.ts'

/**
 * Where Linux keeps files in memory. A test's database lives for milliseconds, and each of its
 * commits would wait for the disk.
 */
const IN_MEMORY = '/dev/shm'
if (process.env['TMPDIR'] === undefined && existsSync(IN_MEMORY)) {
  const { bavail, bsize } = statfsSync(IN_MEMORY)
  // In a container it is often small. This is many times what the tests hold at once.
  if (bavail * bsize >= 2 ** 31) process.env['TMPDIR'] = IN_MEMORY
}
// The pages name the files that this makes, by their hashes.
execFileSync(process.execPath, ['tools/maintain/site-assets.mjs'])

/** Where tests find us, and secrets for tests only: 32 bytes of nothing in particular. */
const CHOSEN = {
  PUBLIC_ORIGIN: 'https://cotizaciones.test',
  KEY_ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 'test key-encryption secret').toString('base64')}`,
}

const IN_NODE = '**/*.node.test.ts'
const ON_REQUEST = ['test/browser/**', 'test/campaign/**', 'test/recordings/**']

/**
 * Each of these in a process of its own: they change what the process trusts and how it fetches. The
 * others share processes, which load the same modules once.
 */
const ALONE = ['delivery', 'system'].map((name) => `test/${name}{/**/*,}.node.test.ts`)

/** The tests in workerd, with the bindings of the Worker that has them all. */
async function inWorkerd() {
  const migrations = await readD1Migrations('migrations')
  return cloudflareTest({
    main: STANDALONE,
    miniflare: {
      ...STANDALONE_OPTIONS,
      d1Databases: ['DB'],
      kvNamespaces: ['BOARD'],
      email: { send_email: [{ name: 'EMAIL' }] },
      bindings: { TEST_MIGRATIONS: migrations, ...CHOSEN },
      // Tests hand hints to the consumer themselves: nobody reads what the service sends by itself.
      queueProducers: { DELIVERIES: 'unread' },
    },
  })
}

const WAITS_FOR_PROCESSES = {
  // On a busy machine one start takes most of a minute, and a test may make two.
  testTimeout: 240_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 30_000 } },
  // No test leaves the machine. Each runtime would copy all authorities that it is to trust.
  env: { NODE_EXTRA_CA_CERTS: '' },
  restoreMocks: true,
  unstubEnvs: true,
}

/** The projects: `npm test` runs `workers` and `node*`, each of the others has a script. */
export default defineConfig({
  test: {
    // The structured logs of what a test provokes are noise unless it fails.
    silent: 'passed-only',
    // Most tests in Node wait for processes and sockets.
    maxWorkers: 3,
    passWithNoTests: true,
    projects: [
      {
        plugins: [inWorkerd()],
        test: {
          name: 'workers',
          include: ['test/**/*.test.ts'],
          exclude: [IN_NODE, ...ON_REQUEST],
          setupFiles: ['./test/setup.ts'],
          isolate: false,
          // Each further runtime loads all modules again: three took half as much CPU again.
          maxWorkers: 1,
          // Vitest refuses to run projects with different numbers of workers in one group.
          sequence: { groupOrder: 1 },
          // Floods of requests beside the other suite, on two cores that others use too.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: { ...WAITS_FOR_PROCESSES, name: 'node alone', include: ALONE },
      },
      {
        test: {
          ...WAITS_FOR_PROCESSES,
          name: 'node',
          include: [`test/${IN_NODE}`],
          exclude: [...ALONE, ...ON_REQUEST],
          isolate: false,
        },
      },
      {
        test: {
          ...WAITS_FOR_PROCESSES,
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        // Recordings beside the repository; fails without them.
        test: {
          name: 'recordings',
          include: ['test/recordings/**/*.test.ts'],
          testTimeout: 240_000,
          hookTimeout: 120_000,
        },
      },
      {
        plugins: [inWorkerd()],
        test: {
          name: 'campaign',
          include: ['test/campaign/**/*.test.ts'],
          exclude: [IN_NODE],
          setupFiles: ['./test/setup.ts'],
          isolate: false,
        },
      },
      {
        test: {
          ...WAITS_FOR_PROCESSES,
          name: 'campaign in node',
          include: [`test/campaign/${IN_NODE}`],
        },
      },
    ],
  },
})
