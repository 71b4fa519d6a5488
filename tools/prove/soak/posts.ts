import type { IncomingHttpHeaders } from 'node:http'
import { verify } from '../../operate/receiver/describe.ts'
import { Counts } from '../harness/counts.ts'

export interface Post {
  deliveryId: string
  webhookId: string
  headers: IncomingHttpHeaders
  startedAt: number
  /** When it was answered or its connection went away. */
  endedAt: number
  /** Whether a 2xx head was written whole. */
  confirmed: boolean
  body: string
}

const SYSTEM = 'system'

/** Every POST of the run: some hundred bytes each, some ten thousand an hour. */
export class PostLog {
  readonly posts: Post[] = []
  readonly answers = new Counts()
  #secrets = new Map<string, string[]>()
  /** Webhooks with a secret that nobody knows: a kill cut off the answer to its rotation. */
  #unknown = new Set<string>()
  #waiting: (() => void)[] = []

  /** Resolves when the next POST has arrived and is not answered yet. */
  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  addSecret(webhookId: string, secret: string): void {
    this.#secrets.set(webhookId, [...(this.#secrets.get(webhookId) ?? []), secret])
  }

  addUnknownSecret(webhookId: string): void {
    this.#unknown.add(webhookId)
  }

  add(headers: IncomingHttpHeaders, body: Buffer): Post {
    const post: Post = {
      deliveryId: String(headers['x-service-delivery-id']),
      webhookId: String(headers['x-service-webhook-id']),
      headers,
      startedAt: Date.now(),
      endedAt: Infinity,
      confirmed: false,
      body: body.toString(),
    }
    this.posts.push(post)
    for (const go of this.#waiting.splice(0)) go()
    return post
  }

  /** How many POSTs have which signature. Checked at the end: a secret may arrive after its POST. */
  signatures(): Counts {
    const counts = new Counts()
    for (const post of this.posts) counts.add(this.#signatureOf(post))
    return counts
  }

  #signatureOf({ webhookId, headers, body, startedAt }: Post) {
    const secrets = this.#secrets.get(webhookId) ?? []
    const result = verify(headers, Buffer.from(body), secrets, Math.floor(startedAt / 1000))
    // The system destination has neither (decision 35: the system destination).
    if (webhookId === SYSTEM)
      return result === 'missing' && headers.authorization === undefined
        ? 'none, of the system'
        : 'invalid'
    return result === 'invalid' && this.#unknown.has(webhookId) ? 'of an unknown secret' : result
  }
}
