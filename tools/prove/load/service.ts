import { startService } from '../harness/service.ts'
import { openLocal } from '../../operate/admin/open-local.ts'
import type { Arrival } from '../harness/arrivals-receiver.ts'
import { createAuthority } from '../../support/authority.ts'
import { warmUp, watchMemory } from '../harness/memory.ts'
import { receiverOptions } from '../../support/receiver.ts'
import { openReceiverProcess } from '../harness/receiver-process.ts'
import type { LoadResult } from './load.ts'
import type { Met } from './fire.ts'
import { temporaryFolder } from '../../support/scratch.ts'

/** The local service under load, with a receiver where it has one. */
export type LoadedService = Awaited<ReturnType<typeof openService>>

/**
 * Starts the service as `npm start` does, with a loopback receiver for the names. `seed` may fill
 * its new state first.
 */
export async function openService({
  args = ['--demo'],
  names = [],
  seed,
}: {
  args?: string[]
  names?: readonly string[]
  seed?: (db: D1Database, stateDir: string) => Promise<void>
} = {}) {
  await using stack = new AsyncDisposableStack()
  const stateDir = temporaryFolder()
  if (seed) {
    await using storage = await openLocal(stateDir)
    await seed(storage.db, stateDir)
  }
  const authority = createAuthority()
  const receiver =
    names.length > 0
      ? stack.use(await openReceiverProcess(authority.issue([...names])))
      : { port: 0, arrivals: async (): Promise<Arrival[]> => [] }
  const ports = Object.fromEntries(names.map((name) => [name, receiver.port]))
  const options = receiverOptions(authority, stateDir, ports)
  const service = stack.use(
    await startService([...args, '--no-backfill', ...options.args], { stateDir, env: options.env }),
  )
  const owned = stack.move()

  /** Watches its memory while it does one thing. */
  async function underWatch(work: () => Promise<Met>): Promise<LoadResult> {
    using watch = watchMemory(service.workerdPid)
    const met = await work()
    return { ...met, memory: watch.stop() }
  }

  return {
    url: service.url,
    stateDir,
    underWatch,
    /** Loads it until it is warm, then for so many seconds, its memory watched. */
    async underLoad(seconds: number, load: (seconds: number) => Promise<Met>) {
      const warm = await warmUp(service.workerdPid, load)
      const result = await underWatch(() => load(seconds))
      return { ...result, remarks: [...result.remarks, `warm after ${warm} s`] }
    },
    /** The arrivals at the receiver since the last call. */
    arrivals: () => receiver.arrivals(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
