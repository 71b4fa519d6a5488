import { SLOTS } from '../../../shared/db/deliveries/slots.ts'

/**
 * A Worker invocation has six connections that wait for headers; a seventh would queue, and its
 * waiting would eat a receiver's ten seconds. One is left for the database and the queue.
 * So five; a statement has slots for as many again, claimed ahead.
 */
export const MAX_CONNECTIONS = SLOTS / 2

/** Runs work when a connection is free; waiting ends when the signal aborts. */
export type Connections = <Value>(signal: AbortSignal, work: () => Promise<Value>) => Promise<Value>

/** One limiter per invocation: connections belong to the invocation that opened them. */
export function limitConnections(limit = MAX_CONNECTIONS): Connections {
  const waiting: (() => void)[] = []
  let free = limit

  return async (signal, work) => {
    signal.throwIfAborted()
    if (free > 0) free -= 1
    else await handedOver(waiting, signal)

    try {
      return await work()
    } finally {
      // Handed over, not given back: a newcomer must not take it from under who waits.
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}

function handedOver(waiting: (() => void)[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const go = () => {
      signal.removeEventListener('abort', giveUp)
      resolve()
    }
    const giveUp = () => {
      waiting.splice(waiting.indexOf(go), 1)
      reject(signal.reason)
    }
    waiting.push(go)
    signal.addEventListener('abort', giveUp, { once: true })
  })
}
