import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { defineConfig } from 'vitest/config'

/**
 * The longest files, the longest first: most of their time is that of services which start, stop or
 * wait. None of them may begin when all others are done.
 */
const LONGEST = [
  'start/processes',
  'start/past',
  'start/upstream',
  'start/stream',
  'verify/verify',
  'start/client',
  'start/demo',
  'backfill/backfill',
  'backfill/command',
  'start/receiver',
  'fuzz/service',
  'admin/inherited-webhooks',
  'admin/many-inherited',
  'import/real-days',
  'deploy/restore',
  'delivery/transports',
  'delivery/engine',
  'admin/accounts',
  'replay-inject',
]

function rank({ moduleId }: TestSpecification): number {
  const index = LONGEST.findIndex((name) => moduleId.endsWith(`/test/node/${name}.test.ts`))
  return index === -1 ? LONGEST.length : index
}

function shared({ project }: TestSpecification): number {
  return Number(!project.config.isolate)
}

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // A process goes on with the next of the files that share one, so these stand together.
    return files.toSorted((a, b) => rank(a) - rank(b) || shared(a) - shared(b))
  }
}

/**
 * Each in a process of its own: the longest, and those that change it: what its runtimes trust, how
 * it fetches. The others share processes, which start and load the same modules once.
 */
const ALONE = [...LONGEST, 'delivery/*', 'system'].map((name) => `test/node/${name}.test.ts`)

/** Tests that need Node around the Workers: the whole service started, real sockets, tools. */
export default defineConfig({
  test: {
    silent: 'passed-only',
    sequence: { sequencer: LongestFirst },
    // Most of them wait for processes and sockets.
    maxWorkers: 3,
    // On a busy machine one start takes most of a minute, and a test may make two.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    passWithNoTests: true,
    // No test leaves the machine. Each runtime would copy all authorities that it is to trust.
    env: { NODE_EXTRA_CA_CERTS: '' },
    restoreMocks: true,
    unstubEnvs: true,
    projects: [
      { extends: true, test: { name: 'alone', include: ALONE } },
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/node/**/*.test.ts'],
          exclude: ALONE,
          isolate: false,
        },
      },
    ],
  },
})
