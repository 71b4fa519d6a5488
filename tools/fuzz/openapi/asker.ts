import { type Answer, type Ask, createAsk, type Question } from '../../harness/ask.ts'
import { webhookBody } from '../grammar/values.ts'
import type { FuzzAccount } from '../fixtures/account.ts'
import type { Case } from './cases.ts'
import type { Described } from './described.ts'

/** How many keys are tried when one has spent its minute. */
const TRIES = 12

/**
 * Sends the request of a case, as an account that has what the operation is about. A case that may
 * change a webhook gets one of its own, of version 1, which is deleted afterwards.
 */
export class Asker {
  readonly #url: string
  readonly #askAt: Ask
  readonly #accounts: readonly FuzzAccount[]
  #turn = 0

  constructor(url: string, accounts: readonly FuzzAccount[]) {
    this.#url = url
    this.#askAt = createAsk(url)
    this.#accounts = accounts
  }

  async ask(described: Described, given: Case): Promise<{ told: Answer; curl: string }> {
    const { operation, path } = described
    if (!path.startsWith('/api/v2/webhooks')) return this.#send(described, given)

    // The example names a webhook of the document, which does not exist here. One of ours replaces
    // it.
    const example = operation.parameters?.find(({ name }) => name === 'id')?.example
    const namesOne = given.parameters['id'] === example && example !== undefined
    const made = namesOne && given.expects !== 'refused' ? await this.#makeWebhook() : null
    const account = made?.account ?? this.#nextAccount()
    // A refused request changes nothing, so any webhook will do.
    const id = made?.id ?? (namesOne ? (account.webhooks.keys().next().value ?? null) : null)
    const body = given.body as { operationId?: unknown } | undefined
    const own: Case = {
      ...given,
      parameters: id === null ? given.parameters : { ...given.parameters, id },
      // Each creation needs a new operation id, except in cases about that field.
      ...(given.expects === 'works' && body?.operationId !== undefined
        ? { body: { ...body, operationId: crypto.randomUUID() } }
        : {}),
    }
    const answered = await this.#send(described, own, account)
    await this.#removeWebhook(account, made?.id ?? createdIn(answered.told))
    return answered
  }

  async #send(
    { method, path, operation }: Described,
    given: Case,
    account?: FuzzAccount,
  ): Promise<{ told: Answer; curl: string }> {
    const { parameters = [] } = operation
    const query = new URLSearchParams()
    const headers: Record<string, string> = { 'CF-Connecting-IP': randomAddress() }
    let target = path
    for (const { name, in: where } of parameters) {
      const value = given.parameters[name]
      if (value === undefined) continue
      if (where === 'path') target = target.replace(`{${name}}`, encodeURIComponent(value))
      else if (where === 'query') query.set(name, value)
      else headers[name] = encodeURIComponent(value)
    }
    if (given.accept) headers['Accept'] = given.accept
    if (given.contentType) headers['Content-Type'] = given.contentType
    const asked = `${target}${query.size > 0 ? `?${query}` : ''}`
    const question = { method, headers, body: given.body }

    const told = given.withKey
      ? await this.#withKey(asked, question, account)
      : await this.#askAt(asked, question)
    const body = given.body === undefined ? '' : JSON.stringify(given.body).slice(0, 300)
    return { told, curl: `${method} ${this.#url}${asked} ${body}` }
  }

  /**
   * Asks with a key of the account, or of any account. Takes the next key when the minute of one is
   * spent.
   */
  async #withKey(path: string, question: Question, account?: FuzzAccount): Promise<Answer> {
    for (let tried = 1; ; tried++) {
      const next = this.#nextAccount()
      const { keys } = account ?? next
      const headers = { ...question.headers, 'x-api-key': keys[this.#turn % keys.length]! }
      const told = await this.#askAt(path, { ...question, headers })
      if (told.status !== 429 || tried === TRIES) return told
    }
  }

  /** A new webhook of the next account that has room for one. */
  async #makeWebhook(): Promise<{ account: FuzzAccount; id: string }> {
    let told: Answer | null = null
    for (let tried = 0; tried < this.#accounts.length; tried++) {
      const account = this.#nextAccount()
      const question = { method: 'POST', body: webhookBody() }
      told = await this.#withKey('/api/v2/webhooks', question, account)
      const id = createdIn(told)
      if (id !== null) return { account, id }
    }
    throw new Error(`no webhook: ${told?.status} ${told?.text}`)
  }

  #nextAccount(): FuzzAccount {
    this.#turn += 1
    return this.#accounts[this.#turn % this.#accounts.length]!
  }

  /** Deletes at the present version, whatever the case did. */
  async #removeWebhook(account: FuzzAccount, id: string | null): Promise<void> {
    if (id === null) return
    const path = `/api/v2/webhooks/${id}`
    const read = await this.#withKey(path, {}, account)
    if (read.status !== 200) return

    const { version } = (JSON.parse(read.text) as { webhook: { version: number } }).webhook
    await this.#withKey(path, { method: 'DELETE', body: { version } }, account)
  }
}

function createdIn({ status, text }: Answer): string | null {
  if (status !== 201) return null
  return (JSON.parse(text) as { webhook: { id: string } }).webhook.id
}

function randomAddress(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(4))).join('.')
}
