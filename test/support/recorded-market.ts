import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Our own documents by `HOST/PATH`, as `--upstream` asks for them; what is not there is 404. */
export interface RecordedMarket extends AsyncDisposable {
  url: string
  documents: Map<string, string>
}

export async function openRecordedMarket(
  documents: Record<string, string>,
): Promise<RecordedMarket> {
  const bodies = new Map(Object.entries(documents))
  const server = createServer((request, response) => {
    request.resume()
    const body = bodies.get((request.url ?? '').slice(1))
    response.writeHead(body === undefined ? 404 : 200).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    documents: bodies,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
