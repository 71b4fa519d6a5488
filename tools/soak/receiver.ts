import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { listen } from '../harness/listen.ts'
import type { Certificate } from '../harness/authority.ts'
import type { Chance } from '../harness/chance.ts'
import type { PostLog } from './posts.ts'

export interface FaultyReceiver extends AsyncDisposable {
  port: number
  /** From here on it answers 204. */
  calm(): void
}

/** How a receiver answers while it is well and while it is ill. Only `ok` and `drip` confirm. */
const MOODS = {
  well: { ok: 960, drip: 10, status: 10, later: 5, reset: 8, redirect: 4, hang: 3 },
  ill: { ok: 4, drip: 0, status: 60, later: 4, reset: 25, redirect: 5, hang: 6 },
} as const

type Answer = keyof (typeof MOODS)['well']

/** It is well for this long and then ill, each drawn anew: long enough, at times, for ten failures. */
const WELL_MS = [30_000, 150_000] as const
const ILL_MS = [5_000, 80_000] as const

/** A body that drips: the delivery is confirmed long before it ends. */
const DRIP_MS = 500

/** An HTTPS receiver that fails at random, and notes every POST. */
export async function openFaultyReceiver(
  certificate: Certificate,
  chance: Chance,
  log: PostLog,
): Promise<FaultyReceiver> {
  let mood: keyof typeof MOODS | 'calm' = 'well'
  let until = Date.now() + chance.between(...WELL_MS)

  const server = createServer(certificate, (request, response) => {
    readBody(request)
      .then((body) => {
        const answer = choose()
        const post = log.add(request.headers, body)
        log.answers.add(answer)
        response.on('close', () => {
          post.endedAt = Math.min(post.endedAt, Date.now())
        })
        post.confirmed = play(response, answer, chance)
        if (post.confirmed) post.endedAt = Date.now()
      })
      .catch(() => response.destroy())
  })
  const { port, ...listening } = await listen(server)

  return {
    ...listening,
    port,
    calm() {
      mood = 'calm'
    },
  }

  function choose(): Answer {
    if (mood === 'calm') return 'ok'
    if (Date.now() > until) {
      mood = mood === 'well' ? 'ill' : 'well'
      const [least, most] = mood === 'well' ? WELL_MS : ILL_MS
      until = Date.now() + chance.between(least, most)
    }
    return chance.weighed(MOODS[mood])
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Answers, or does not; true when a 2xx head was written. */
function play(response: ServerResponse, answer: Answer, chance: Chance): boolean {
  switch (answer) {
    case 'ok':
      response.writeHead(chance.pick([200, 201, 204])).end()
      return true
    case 'drip': {
      response.writeHead(200)
      response.write('.')
      const timer = setInterval(() => response.write('.'), DRIP_MS)
      response.on('close', () => clearInterval(timer))
      return true
    }
    case 'status':
      response.writeHead(chance.pick([500, 502, 503, 400, 404, 410])).end('no')
      return false
    case 'later':
      response
        .writeHead(429, { 'retry-after': chance.pick(['3', '0', 'soon', '1000000000']) })
        .end()
      return false
    case 'redirect':
      response.writeHead(302, { location: 'https://127.0.0.1/' }).end()
      return false
    case 'reset':
      // Half a status line, then nothing.
      response.socket?.write('HTTP/1.1 20')
      response.socket?.destroy()
      return false
    case 'hang':
      return false
  }
}
