import type { SendRequest } from '../../support/http-client.ts'

export interface Scene {
  ask: SendRequest
  /** An API key of the service. Without one, only checks that need none run. */
  key: string | undefined
  now: () => number
  newId: () => string
  sleep: (milliseconds: number) => Promise<void>
}

/** One promise of the service. `run` throws a `Broken` when it is not kept. */
export interface Check {
  name: string
  needsKey?: boolean
  run: (scene: Scene) => Promise<void>
}

export function check(name: string, run: Check['run']): Check {
  return { name, run }
}

export function keyed(name: string, run: Check['run']): Check {
  return { name, needsKey: true, run }
}

/** A promise that is not kept, in one line. */
export class Broken extends Error {}

/** Why a check could not run; the service is not at fault. */
export class LeftOut extends Error {}
