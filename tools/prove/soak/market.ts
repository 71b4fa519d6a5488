import { createServer, type ServerResponse } from 'node:http'
import { listen } from '../../support/listen.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { documentAt } from '../../operate/demo-market/server.ts'
import type { Random } from '../../support/random.ts'
import { Counts } from '../harness/counts.ts'

/** How often each fault comes, in a thousand. Few documents hang, for each one delays a cycle. */
const FAULTS = {
  none: 940,
  status: 25,
  truncated: 10,
  garbage: 8,
  empty: 4,
  slow: 8,
  hang: 3,
} as const

/** From time to time one host answers only errors for a while. */
const OUTAGE_EVERY_MS = 40_000
const OUTAGE_MS = 30_000

/** The demo market over HTTP, with sources that fail at random. */
export async function openFaultyMarket(random: Random, options: { seed: number; stepMs: number }) {
  const faults = new Counts()
  const hosts = new Set<string>()
  let outage = { host: '', from: Date.now() + OUTAGE_EVERY_MS }
  let calmAt: number | null = null

  const server = createServer((request, response) => {
    request.resume()
    const path = request.url ?? '/'
    const host = path.split('/')[1] ?? ''
    hosts.add(host)
    const { body, contentType } = documentAt(path, calmAt ?? Date.now(), options)
    if (body === null) return void response.writeHead(404).end()

    const fault = calmAt === null ? (isOut(host) ? 'status' : random.weighed(FAULTS)) : 'none'
    if (fault !== 'none') faults.add(fault)
    void answer(response, { body, contentType, fault, random })
  })
  const { port, ...listening } = await listen(server)

  return {
    ...listening,
    url: `http://127.0.0.1:${port}`,
    faults,
    /** Ends the faults and the movement: from here on no value changes. */
    calm() {
      calmAt ??= Date.now()
    },
  }

  function isOut(host: string): boolean {
    const now = Date.now()
    if (now > outage.from + OUTAGE_MS)
      outage = { host: random.pick([...hosts]), from: now + OUTAGE_EVERY_MS * random.next() }
    return host === outage.host && now >= outage.from
  }
}

interface Fault {
  body: string
  contentType: string
  fault: keyof typeof FAULTS
  random: Random
}

async function answer(
  response: ServerResponse,
  { body, contentType, fault, random }: Fault,
): Promise<void> {
  const head = { 'content-type': contentType }
  switch (fault) {
    case 'hang':
      return
    case 'status':
      response.writeHead(random.pick([500, 502, 503, 429, 403, 404])).end('down')
      return
    case 'truncated':
      // Its length is announced, but only half is sent.
      response.writeHead(200, { ...head, 'content-length': Buffer.byteLength(body) })
      response.write(body.slice(0, body.length / 2))
      await sleep(20)
      response.destroy()
      return
    case 'garbage':
      response
        .writeHead(200, head)
        .end(random.pick(['<html>ups</html>', '{"a":[1,', 'null', '\0\0']))
      return
    case 'empty':
      response.writeHead(200, head).end()
      return
    case 'slow':
      await sleep(random.between(500, 3000))
      break
    case 'none':
  }
  response.writeHead(200, head).end(body)
}
