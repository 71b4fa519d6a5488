import { createServer } from 'node:net'
import { listen } from './listen.ts'

/** Whether nothing listens on a loopback port. */
export function isFree(port: number): Promise<boolean> {
  return takeOnce(port).then(
    () => true,
    () => false,
  )
}

/** A loopback port that nobody has; it is free again, so it must be taken at once. */
export function freePort(): Promise<number> {
  return takeOnce(0)
}

async function takeOnce(wanted: number): Promise<number> {
  await using server = await listen(createServer(), wanted)
  return server.port
}
