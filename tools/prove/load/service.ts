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
  seed?: (db: D1Database) => Promise<void>
} = {}) {
  await using stack = new AsyncDisposableStack()
  const stateDir = temporaryFolder()
  if (seed) {
    await using storage = await openLocal(stateDir)
    await seed(storage.db)
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
  return {
    url: service.url,
    /** Loads it until it is warm, then for so many seconds, its memory watched. */
    async underLoad(seconds: number, load: (seconds: number) => Promise<Met>): Promise<LoadResult> {
      const warm = await warmUp(service.workerdPid, load)
      using watch = watchMemory(service.workerdPid)
      const met = await load(seconds)
      const remarks = [...met.remarks, `warm after ${warm} s`]
      return { ...met, remarks, memory: watch.stop() }
    },
    /** The arrivals at the receiver since the last call. */
    arrivals: () => receiver.arrivals(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
