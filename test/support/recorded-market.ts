import { createServer } from 'node:http'
import { listen } from '../../tools/support/listen.ts'

export type RecordedMarket = Awaited<ReturnType<typeof openRecordedMarket>>

/** Our own documents by `HOST/PATH`, as `--upstream` asks for them; what is not there is 404. */
export async function openRecordedMarket(given: Record<string, string>) {
  const documents = new Map(Object.entries(given))
  const server = createServer((request, response) => {
    request.resume()
    const body = documents.get((request.url ?? '').slice(1))
    response.writeHead(body === undefined ? 404 : 200).end(body)
  })
  const { port, ...listening } = await listen(server)
  return { ...listening, url: `http://127.0.0.1:${port}`, documents }
}
