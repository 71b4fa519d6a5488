import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../harness/random.ts'
import type { SoakContext } from './context.ts'
import { deliveriesInFlight } from './stored.ts'

/** Mean time between two kills; short runs have at least three. */
const KILL_MS = 150_000

/** A SIGKILL takes the process and its runtime, or the process alone, whose guard ends the other. */
const HOW = { all: 2, parent: 1 } as const

/** How many kills wait for a POST to be under way, and how long: between it and what follows it. */
const AIMED = 0.7
const AIM_MS = 10_000

/** How often a start is killed too, and when. */
const KILL_AT_START = 0.25
const START_KILL_MS = [1_000, 15_000] as const

/** Kills the service at random and starts it again, until `ending`. */
export async function killAtRandom(
  { minutes, service, log, kills, cut, stateDir, progress }: SoakContext,
  random: Random,
  { ending, pause }: { ending: AbortSignal; pause: (ms: number) => Promise<void> },
): Promise<void> {
  const mean = Math.min(KILL_MS, (minutes * 60_000) / 4)
  while (true) {
    await pause(Math.min(-Math.log(1 - random.next()) * mean, mean * 3))
    if (random.happens(AIMED)) {
      await Promise.race([log.next(), pause(AIM_MS)])
      await sleep(random.between(0, 30))
    }
    if (ending.aborted) return

    const what = random.weighed(HOW)
    await service.kill(what)
    kills.add(what)
    const inFlight = deliveriesInFlight(stateDir)
    cut.push(inFlight)
    progress(`killed (${what}) with ${inFlight.length} attempts under way`)
    await pause(random.between(0, 4000))
    while (random.happens(KILL_AT_START)) {
      await service.startAndKill(random.between(...START_KILL_MS), random.weighed(HOW))
      kills.add('at a start')
    }
    await service.start()
  }
}
