/** Bytes of a Worker's heap that are in use after a collection, asked of workerd's inspector. */
export async function heapInUse(inspectorPort: number, worker: string): Promise<number> {
  const listed = await fetch(`http://127.0.0.1:${inspectorPort}/json`)
  const targets = (await listed.json()) as { id: string; webSocketDebuggerUrl: string }[]
  const target = targets.find(({ id }) => id === worker)
  if (!target) throw new Error(`workerd knows no ${worker}`)

  const socket = new WebSocket(target.webSocketDebuggerUrl)
  try {
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve, { once: true })
      socket.addEventListener('error', reject, { once: true })
    })
    await ask(socket, 1, 'HeapProfiler.collectGarbage')
    const usage = await ask(socket, 2, 'Runtime.getHeapUsage')
    return usage['usedSize']! + usage['embedderHeapUsedSize']! + usage['backingStorageSize']!
  } finally {
    socket.close()
  }
}

function ask(socket: WebSocket, id: number, method: string): Promise<Record<string, number>> {
  return new Promise((resolve) => {
    socket.addEventListener('message', function answered({ data }) {
      const message = JSON.parse(String(data)) as { id?: number; result: Record<string, number> }
      if (message.id !== id) return
      socket.removeEventListener('message', answered)
      resolve(message.result)
    })
    socket.send(JSON.stringify({ id, method }))
  })
}
