/** A reader of server-sent events over a real connection. */
export interface EventReader {
  response: Response
  events: { id: string; data: Record<string, unknown> }[]
  comments: () => number
  /** Whether the server ended it. */
  ended: () => boolean
  close: () => void
}

export async function openEvents(url: string, lastEventId?: string): Promise<EventReader> {
  const controller = new AbortController()
  const response = await fetch(url, {
    headers: lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId },
    signal: controller.signal,
  })
  const events: EventReader['events'] = []
  let comments = 0
  let ended = false
  void read().catch(() => {})

  async function read() {
    let pending = ''
    for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
      const blocks = (pending + text).split('\n\n')
      pending = blocks.pop()!
      for (const block of blocks) note(block)
    }
    ended = true
  }

  function note(block: string) {
    if (block.startsWith(':')) comments++
    const id = /^id: (.*)$/m.exec(block)?.[1]
    const data = /^data: (.*)$/m.exec(block)?.[1]
    if (id && data) events.push({ id, data: JSON.parse(data) as Record<string, unknown> })
  }

  return {
    response,
    events,
    comments: () => comments,
    ended: () => ended,
    close: () => controller.abort(),
  }
}
