import { type HttpResponse, type SendRequest, createSender, type HttpRequest } from '../../../support/http-client.ts'
import { until } from '../../../support/until.ts'
import { alertBody, webhookBody } from '../grammar/values.ts'
import type { FuzzAccount } from '../fixtures/account.ts'
import type { Case } from './cases.ts'
import type { Described } from './described.ts'

/** How many keys are tried when one has spent its minute. */
const TRIES = 12

/** How long the four attempts of a test may take. */
const PATIENCE_MS = 30_000

/** What an account makes, edits and deletes by its id and version. */
interface Managed {
  /** Its field in answers; with an s, the map of an account that has its versions. */
  name: 'webhook' | 'alert'
  path: string
  creation: () => object
}

/** One that was made for a case. */
interface Made {
  account: FuzzAccount
  id: string
}

const MANAGED: readonly Managed[] = [
  { name: 'webhook', path: '/api/v2/webhooks', creation: webhookBody },
  { name: 'alert', path: '/api/v2/alerts', creation: alertBody },
]

/**
 * Sends the request of a case, as an account that has what the operation is about. A case that may
 * change a webhook or an alert gets one of its own, of version 1, which is deleted afterwards.
 */
export class CaseSender {
  readonly #url: string
  readonly #request: SendRequest
  readonly #accounts: readonly FuzzAccount[]
  #turn = 0

  constructor(url: string, accounts: readonly FuzzAccount[]) {
    this.#url = url
    this.#request = createSender(url)
    this.#accounts = accounts
  }

  async send(described: Described, given: Case): Promise<{ response: HttpResponse; curl: string }> {
    const { operation, path } = described
    const managed = MANAGED.find((one) => path.startsWith(one.path))
    if (!managed) return this.#send(described, given)

    // The example names one of the document, which does not exist here. One of ours replaces it.
    const names = (parameter: string) => {
      const example = operation.parameters?.find(({ name }) => name === parameter)?.example
      return given.parameters[parameter] === example && example !== undefined
    }
    const namesOne = names('id')
    const namesDelivery = names('deliveryId')
    const isMade = (namesOne || namesDelivery) && given.expects !== 'refused'
    const made = isMade ? await this.#make(managed) : null
    const deliveryId = made && namesDelivery ? await this.#endedTest(managed, made) : null
    const account = made?.account ?? this.#nextAccount()
    // A refused request changes nothing, so any of them will do.
    const some = account[`${managed.name}s`].keys().next().value ?? null
    const id = made?.id ?? (namesOne ? some : null)
    const body = given.body as { operationId?: unknown } | undefined
    const own: Case = {
      ...given,
      parameters: {
        ...given.parameters,
        ...(id !== null && { id }),
        ...(deliveryId !== null && { deliveryId }),
      },
      // Each creation needs a new operation id, except in cases about that field.
      ...(given.expects === 'works' && body?.operationId !== undefined
        ? { body: { ...body, operationId: crypto.randomUUID() } }
        : {}),
    }
    const sent = await this.#send(described, own, account)
    await this.#remove(managed, account, made?.id ?? createdIn(managed, sent.response))
    return sent
  }

  async #send(
    { method, path, operation }: Described,
    given: Case,
    account?: FuzzAccount,
  ): Promise<{ response: HttpResponse; curl: string }> {
    const { parameters = [] } = operation
    const query = new URLSearchParams(given.query)
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
    const pathAndQuery = `${target}${query.size > 0 ? `?${query}` : ''}`
    const request = { method, headers, body: given.body }

    const response = given.withKey
      ? await this.#withKey(pathAndQuery, request, account)
      : await this.#request(pathAndQuery, request)
    const body = given.body === undefined ? '' : JSON.stringify(given.body).slice(0, 300)
    return { response, curl: `${method} ${this.#url}${pathAndQuery} ${body}` }
  }

  /**
   * Asks with a key of the account, or of any account. Takes the next key when the minute of one is
   * spent.
   */
  async #withKey(path: string, request: HttpRequest, account?: FuzzAccount): Promise<HttpResponse> {
    for (let tried = 1; ; tried++) {
      const next = this.#nextAccount()
      const { keys } = account ?? next
      const headers = { ...request.headers, 'x-api-key': keys[this.#turn % keys.length]! }
      const response = await this.#request(path, { ...request, headers })
      if (response.status !== 429 || tried === TRIES) return response
    }
  }

  /** A new one of the next account that has room for it. */
  async #make(managed: Managed): Promise<Made> {
    let response: HttpResponse | null = null
    for (let tried = 0; tried < this.#accounts.length; tried++) {
      const account = this.#nextAccount()
      const request = { method: 'POST', body: managed.creation() }
      response = await this.#withKey(managed.path, request, account)
      const id = createdIn(managed, response)
      if (id !== null) return { account, id }
    }
    throw new Error(`no ${managed.name}: ${response?.status} ${response?.text}`)
  }

  /** The delivery id of a test that nobody took, when it has ended. */
  async #endedTest(managed: Managed, { account, id }: Made): Promise<string> {
    const request = { method: 'POST', body: {} }
    const queued = await this.#withKey(`${managed.path}/${id}/test`, request, account)
    const { deliveryId } = JSON.parse(queued.text) as { deliveryId: string }
    const hasEnded = async () => {
      const path = `${managed.path}/deliveries?status=dead&deliveryId=${deliveryId}`
      const { text } = await this.#withKey(path, {}, account)
      return (JSON.parse(text) as { deliveries: unknown[] }).deliveries.length === 1
    }
    const failure = `the test of ${id} does not end`
    await until(hasEnded, { everyMs: 500, atMostMs: PATIENCE_MS, failure })
    return deliveryId
  }

  #nextAccount(): FuzzAccount {
    this.#turn += 1
    return this.#accounts[this.#turn % this.#accounts.length]!
  }

  /** Deletes at the present version, whatever the case did. */
  async #remove(managed: Managed, account: FuzzAccount, id: string | null): Promise<void> {
    if (id === null) return
    const path = `${managed.path}/${id}`
    const read = await this.#withKey(path, {}, account)
    if (read.status !== 200) return

    const { version } = (JSON.parse(read.text) as Record<string, { version: number }>)[
      managed.name
    ]!
    await this.#withKey(path, { method: 'DELETE', body: { version } }, account)
  }
}

function createdIn({ name }: Managed, { status, text }: HttpResponse): string | null {
  if (status !== 201) return null
  return (JSON.parse(text) as Record<string, { id: string }>)[name]!.id
}

function randomAddress(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(4))).join('.')
}
