import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { verify } from '../../operate/receiver/describe.ts'
import { Counts } from '../harness/counts.ts'

export interface Post {
  deliveryId: string
  webhookId: string
  startedAt: number
  /** When it was answered or its connection went away. */
  endedAt: number
  /** Whether a 2xx head was written whole. */
  confirmed: boolean
  body: string
}

interface Unverified {
  webhookId: string
  headers: IncomingHttpHeaders
  body: Buffer
  atSeconds: number
}

const SYSTEM = 'system'

/** Signatures that wait for the answer that brings their secret. */
const MAX_UNVERIFIED = 1000

/**
 * Every POST of the run: some hundred bytes each, some ten thousand an hour. Bodies are kept only
 * while their signature waits for its secret, because a rotation's answer comes after its effect.
 */
export class PostLog {
  readonly posts: Post[] = []
  readonly verdicts = new Counts()
  readonly answers = new Counts()
  unsigned = 0
  invalid = 0
  /** Signed with a secret that no one knows: a kill cut off the answer to its rotation. */
  unverifiable = 0
  #secrets = new Map<string, string[]>()
  #lost = new Set<string>()
  #unverified: Unverified[] = []
  #waiting: (() => void)[] = []

  /** Resolves when the next POST has arrived and is not answered yet. */
  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** Notes a new secret of a webhook and verifies the signatures that waited for it. */
  learn(webhookId: string, secret: string): void {
    this.#secrets.set(webhookId, [...(this.#secrets.get(webhookId) ?? []), secret].slice(-4))
    this.settle(webhookId)
    this.#lost.delete(webhookId)
  }

  /** Notes that a rotation's answer was lost: no one knows the secret until the next one. */
  loseSecret(webhookId: string): void {
    this.#lost.add(webhookId)
  }

  isLost(webhookId: string): boolean {
    return this.#lost.has(webhookId)
  }

  add(headers: IncomingHttpHeaders, body: Buffer): Post {
    const webhookId = String(headers['x-service-webhook-id'])
    const post: Post = {
      deliveryId: String(headers['x-service-delivery-id']),
      webhookId,
      startedAt: Date.now(),
      endedAt: Infinity,
      confirmed: false,
      body: createHash('sha256').update(body).digest('base64url').slice(0, 12),
    }
    this.posts.push(post)
    for (const go of this.#waiting.splice(0)) go()

    const waiting = { webhookId, headers, body, atSeconds: Math.floor(Date.now() / 1000) }
    const verdict = this.#verdict(waiting)
    if (webhookId === SYSTEM) this.#noteSystem(verdict, headers)
    else if (verdict === 'missing') this.unsigned += 1
    else if (verdict === 'valid') this.verdicts.add('valid')
    else if (this.#unverified.length < MAX_UNVERIFIED) this.#unverified.push(waiting)
    else this.invalid += 1
    return post
  }

  /** Verifies waiting signatures again: of one webhook when a secret comes, of all at the end. */
  settle(webhookId?: string): void {
    const concerned = (one: Unverified) => webhookId === undefined || one.webhookId === webhookId
    const waiting = this.#unverified.filter(concerned)
    this.#unverified = this.#unverified.filter((one) => !concerned(one))
    for (const one of waiting) {
      if (this.#verdict(one) === 'valid') this.verdicts.add('valid, known late')
      else if (this.#lost.has(one.webhookId)) this.unverifiable += 1
      // A create's answer may still be on its way.
      else if (webhookId !== undefined && Date.now() / 1000 - one.atSeconds < 30)
        this.#unverified.push(one)
      else this.invalid += 1
    }
  }

  /**
   * The system destination has neither a secret nor an Authorization (decision 35: the system
   * destination).
   */
  #noteSystem(verdict: string, headers: IncomingHttpHeaders): void {
    if (verdict === 'missing' && headers.authorization === undefined)
      this.verdicts.add('none, of the system')
    else this.invalid += 1
  }

  #verdict({ webhookId, headers, body, atSeconds }: Unverified) {
    return verify(headers, body, this.#secrets.get(webhookId) ?? [], atSeconds)
  }
}
