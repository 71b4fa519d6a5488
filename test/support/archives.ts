import { createServer } from 'node:http'
import { type Instant, MINUTE_MS } from '../../shared/argentine-time.ts'
import { documentAt } from '../../tools/operate/demo-market/server.ts'
import { listen, type Listening } from '../../tools/support/listen.ts'

/** A server that replays the archives' documents, and may fail. */
export interface Archives extends AsyncDisposable {
  url: string
  /** Addresses asked so far, `HOST/PATH?QUERY`. */
  asked: string[]
  /** What an address answers instead: a status, or a text. */
  instead: (address: string) => number | string | null
}

/** The demo market's archives as they stand at one instant. */
export async function openArchives(now: Instant): Promise<Archives> {
  const archives: Pick<Archives, 'asked' | 'instead'> = { asked: [], instead: () => null }
  const market = { seed: 3, stepMs: 5 * MINUTE_MS }
  // A document of some thousand days is made once, however often it is asked for.
  const documents = new Map<string, string | null>()
  function documentOf(path: string): string | null {
    if (!documents.has(path)) documents.set(path, documentAt(path, now, market).body)
    return documents.get(path)!
  }
  const server = createServer((request, response) => {
    const address = request.url!.slice(1)
    archives.asked.push(address)
    const instead = archives.instead(address)
    if (typeof instead === 'number') return void response.writeHead(instead).end()

    const body = instead === null ? documentOf(request.url!) : instead
    response.writeHead(body === null ? 404 : 200).end(body)
  })
  const listening: Listening = await listen(server)

  return Object.assign(archives, {
    url: `http://127.0.0.1:${listening.port}`,
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  })
}
