import type { Certificate } from '../../support/authority.ts'
import type { Random } from '../../support/random.ts'
import { openReceiver, type Reply, sendReply } from '../../support/receiver.ts'
import type { PostLog } from './posts.ts'

/** How a receiver answers while it is well and while it is ill. Only `ok` and `drip` confirm. */
const MOODS = {
  well: { ok: 960, drip: 10, status: 10, later: 5, reset: 8, redirect: 4, hang: 3 },
  ill: { ok: 4, drip: 0, status: 60, later: 4, reset: 25, redirect: 5, hang: 6 },
} as const

type Reaction = keyof (typeof MOODS)['well']

/** The range of how long each mood lasts: at times long enough for ten failures. */
const LASTS_MS = { well: [30_000, 150_000], ill: [5_000, 80_000] } as const

/** An HTTPS receiver that fails at random, and notes every POST. */
export async function openFaultyReceiver(certificate: Certificate, random: Random, log: PostLog) {
  let mood: keyof typeof MOODS | 'calm' = 'well'
  let until = Date.now() + random.between(...LASTS_MS.well)

  const { port, ...listening } = await openReceiver(certificate, (headers, body, response) => {
    const answer = choose()
    const post = log.add(headers, body)
    log.answers.add(answer)
    response.on('close', () => {
      post.endedAt = Math.min(post.endedAt, Date.now())
    })
    post.confirmed = sendReply(response, replyOf(answer, random))
    if (post.confirmed) post.endedAt = Date.now()
  })

  return {
    ...listening,
    port,
    /** From here on it answers 204. */
    calm() {
      mood = 'calm'
    },
  }

  function choose(): Reaction {
    if (mood === 'calm') return 'ok'
    if (Date.now() > until) {
      mood = mood === 'well' ? 'ill' : 'well'
      const [least, most] = LASTS_MS[mood]
      until = Date.now() + random.between(least, most)
    }
    return random.weighed(MOODS[mood])
  }
}

function replyOf(answer: Reaction, random: Random): Reply {
  switch (answer) {
    case 'ok':
      return { kind: 'status', status: random.pick([200, 201, 204]) }
    case 'status':
      return { kind: 'status', status: random.pick([500, 502, 503, 400, 404, 410]) }
    case 'later': {
      const headers = { 'retry-after': random.pick(['3', '0', 'soon', '1000000000']) }
      return { kind: 'status', status: 429, headers }
    }
    case 'redirect':
      return { kind: 'redirect', location: 'https://127.0.0.1/' }
    default:
      return { kind: answer }
  }
}
