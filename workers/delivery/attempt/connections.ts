/**
 * Attempts that one invocation makes at once. A Worker invocation has six connections that wait for
 * a response head. A seventh would queue, and its wait would use up a receiver's ten seconds. One
 * of the six is left for the database and the queue.
 */
export const MAX_CONNECTIONS = 6 - 1

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
      // Handed to the next in line, or a newcomer could overtake it.
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
