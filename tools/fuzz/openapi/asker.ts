import { RECEIVER } from '../grammar/values.ts'
import type { FuzzAccount } from '../fixtures/account.ts'
import type { Told } from './answer-problems.ts'
import type { Case } from './cases.ts'
import type { Described } from './described.ts'

/** Keys that may be tried when the minute of one is spent. */
const TRIES = 12

/**
 * Asks the service what a case says, as an account that has what the operation is about: where it
 * may be changed, a webhook of its own for each case, of version 1 and gone afterwards.
 */
export class Asker {
  private readonly url: string
  private readonly accounts: readonly FuzzAccount[]
  private turn = 0

  constructor(url: string, accounts: readonly FuzzAccount[]) {
    this.url = url
    this.accounts = accounts
  }

  async ask(described: Described, given: Case): Promise<{ told: Told; curl: string }> {
    const { operation, path } = described
    if (!path.startsWith('/api/v2/webhooks')) return this.send(described, given)

    // Its example is that of a webhook of the document's, which is not here: one of ours is.
    const example = operation.parameters?.find(({ name }) => name === 'id')?.example
    const namesOne = given.parameters['id'] === example && example !== undefined
    const made = namesOne && given.expects !== 'refused' ? await this.makeWebhook() : null
    const account = made?.account ?? this.nextAccount()
    // What must be refused leaves it as it is, so any will do.
    const id = made?.id ?? (namesOne ? (account.webhooks.keys().next().value ?? null) : null)
    const body = given.body as { operationId?: unknown } | undefined
    const own: Case = {
      ...given,
      parameters: id === null ? given.parameters : { ...given.parameters, id },
      // Each creation needs a new one, but for the cases that are about it.
      ...(given.expects === 'works' && body?.operationId !== undefined
        ? { body: { ...body, operationId: crypto.randomUUID() } }
        : {}),
    }
    const answered = await this.send(described, own, account)
    await this.removeWebhook(account, made?.id ?? createdIn(answered.told))
    return answered
  }

  private async send(
    { method, path, operation }: Described,
    given: Case,
    account?: FuzzAccount,
  ): Promise<{ told: Told; curl: string }> {
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
    if (given.body !== undefined) headers['Content-Type'] = given.contentType ?? 'application/json'
    const address = `${this.url}${target}${query.size > 0 ? `?${query}` : ''}`
    const init = {
      method,
      headers,
      ...(given.body === undefined ? {} : { body: JSON.stringify(given.body) }),
    }

    const told = given.withKey
      ? await this.withKey(address, init, account)
      : await tell(await fetch(address, init))
    return { told, curl: `${method} ${address} ${init.body?.slice(0, 300) ?? ''}` }
  }

  /** With a key of the account, or of any; with the next one when a minute is spent. */
  private async withKey(
    address: string,
    init: RequestInit & { headers: Record<string, string> },
    account?: FuzzAccount,
  ): Promise<Told> {
    for (let tried = 1; ; tried++) {
      const next = this.nextAccount()
      const { keys } = account ?? next
      const headers = { ...init.headers, 'x-api-key': keys[this.turn % keys.length]! }
      const told = await tell(await fetch(address, { ...init, headers }))
      if (told.status !== 429 || tried === TRIES) return told
    }
  }

  /** A new webhook of the next account that has room for one. */
  private async makeWebhook(): Promise<{ account: FuzzAccount; id: string }> {
    const address = `${this.url}/api/v2/webhooks`
    const headers = { 'Content-Type': 'application/json' }
    let told: Told | null = null
    for (let tried = 0; tried < this.accounts.length; tried++) {
      const account = this.nextAccount()
      const body = JSON.stringify({
        operationId: crypto.randomUUID(),
        url: `https://${RECEIVER}/`,
        currency: 'USD',
        origin: 'BLUE',
      })
      told = await this.withKey(address, { method: 'POST', headers, body }, account)
      const id = createdIn(told)
      if (id !== null) return { account, id }
    }
    throw new Error(`no webhook: ${told?.status} ${told?.text}`)
  }

  private nextAccount(): FuzzAccount {
    this.turn += 1
    return this.accounts[this.turn % this.accounts.length]!
  }

  /** At its version, whatever the case did to it. */
  private async removeWebhook(account: FuzzAccount, id: string | null): Promise<void> {
    if (id === null) return
    const address = `${this.url}/api/v2/webhooks/${id}`
    const read = await this.withKey(address, { headers: {} }, account)
    if (read.status !== 200) return

    const { version } = (JSON.parse(read.text) as { webhook: { version: number } }).webhook
    const headers = { 'Content-Type': 'application/json' }
    const body = JSON.stringify({ version })
    await this.withKey(address, { method: 'DELETE', headers, body }, account)
  }
}

function createdIn({ status, text }: Told): string | null {
  if (status !== 201) return null
  return (JSON.parse(text) as { webhook: { id: string } }).webhook.id
}

async function tell(response: Response): Promise<Told> {
  const { status, headers } = response
  if (!headers.get('Content-Type')?.startsWith('text/event-stream'))
    return { status, headers, text: await response.text() }

  await response.body?.cancel()
  return { status, headers, text: '' }
}

function randomAddress(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(4))).join('.')
}
