/** A proxy before a service: it remembers every answer, gives them again, and alters some. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Asked {
  method: string
  path: string
  headers: Record<string, string>
  /** Which one of this method and path since `begin`, from 1. */
  nth: number
}

export interface Given {
  status: number
  headers: Record<string, string>
  text: string
}

/** A defect: changes an answer on its way. */
export type Alter = (asked: Asked, given: Given) => void

/** What belongs to a connection, or to the body as it was sent. */
const HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host'])

export class Proxy implements AsyncDisposable {
  /** Whether answers come from memory. */
  replays = false
  /** The address under which the service sees its client. */
  address = '192.0.2.1'
  alter: Alter = () => {}

  #part = ''
  readonly #upstream: string
  readonly #memory = new Map<string, Given>()
  readonly #counts = new Map<string, number>()
  readonly #server = createServer((request, response) => {
    void this.#answer(request).then(({ status, headers, text }) =>
      response.writeHead(status, headers).end(text),
    )
  })

  constructor(upstream: string) {
    this.#upstream = upstream
  }

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1')
    await new Promise((resolve) => this.#server.once('listening', resolve))
    return this
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** From here on a part of its own: one that ends early does not shift the next one's answers. */
  begin(part: string): void {
    this.#part = part
    this.#counts.clear()
  }

  async [Symbol.asyncDispose]() {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #answer(request: IncomingMessage): Promise<Given> {
    const { method = 'GET', url: path = '/' } = request
    const name = `${method} ${path}`
    const nth = (this.#counts.get(name) ?? 0) + 1
    this.#counts.set(name, nth)
    const asked = { method, path, headers: request.headers as Record<string, string>, nth }

    const id = `${this.#part} ${name} ${nth}`
    const known = this.replays ? this.#memory.get(id) : await this.#ask(asked, request)
    if (!known) return { status: 599, headers: {}, text: `never asked: ${id}` }

    this.#memory.set(id, known)
    const given = { ...known, headers: { ...known.headers } }
    this.alter(asked, given)
    return given
  }

  async #ask({ method, path, headers }: Asked, request: IncomingMessage): Promise<Given> {
    const sent = Buffer.concat(await request.toArray())
    const response = await fetch(this.#upstream + path, {
      method,
      headers: { ...withoutHop(Object.entries(headers)), 'CF-Connecting-IP': this.address },
      ...(sent.length > 0 && { body: sent }),
      redirect: 'manual',
    })
    const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream')
    return {
      status: response.status,
      headers: withoutHop(response.headers),
      text: isStream ? await firstEvent(response) : await response.text(),
    }
  }
}

function withoutHop(headers: Iterable<[string, string]>): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !HOP.has(name.toLowerCase())))
}

/** The stream goes on for ever; MCP's ends by itself. */
async function firstEvent(response: Response): Promise<string> {
  let text = ''
  for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
    text += part
    if (/\ndata: .*\n\n/.test(text)) break
  }
  return text
}
