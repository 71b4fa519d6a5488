import { setTimeout as sleep } from 'node:timers/promises'
import type { Request } from 'autocannon'
import { fire, Tally } from './fire.ts'
import type { Load, LoadOptions, LoadResult } from './load.ts'
import { openService } from './service.ts'

const CONNECTIONS = 8
/** DATE_READ_LIMIT: date reads of one address in ten seconds. */
const LIMIT = 20
/** What an address sends in the load that goes over it. */
const OVER = 50

const PATHS = ['', '/usd', '/usd/blue', '/eur/bna?time=12:00', '/arg/cer?format=csv']

export const datesAtLimit: Load = {
  name: 'dates',
  summary: `date reads, ${LIMIT} at once from each address: all are answered`,
  run: (options) => run(options, LIMIT),
}

export const datesOverLimit: Load = {
  name: 'dates-over',
  summary: `date reads, ${OVER} at once from each address: ${LIMIT} are answered, the rest get 429`,
  run: (options) => run(options, OVER),
}

async function run({ seconds }: LoadOptions, each: number): Promise<LoadResult> {
  await using service = await openService()
  const tally = new Tally()
  const clients = new Clients(each, tally)
  const requests = [clients.request()]
  return await service.underLoad(seconds, async (seconds) => {
    clients.begin()
    const met = await fire({ url: service.url, seconds, connections: CONNECTIONS, requests, tally })
    const strange = clients.strange()
    if (each > LIMIT) strange.push(...(await blockProblems(service.url)))
    return {
      ...met,
      errors: met.errors + strange.length,
      problems: [...met.problems, ...strange.slice(0, 5)],
      remarks: [`${clients.complete} addresses, each answered ${Math.min(each, LIMIT)} of ${each}`],
    }
  })
}

interface Client {
  address: string
  answered: number
  refused: number
}

/** Addresses that send `each` requests, one address after the other. */
class Clients {
  complete = 0
  readonly #all: Client[] = []
  #sent = 0
  readonly #each: number
  readonly #tally: Tally

  constructor(each: number, tally: Tally) {
    this.#each = each
    this.#tally = tally
  }

  /** Starts with a new address: the last one may be incomplete. */
  begin(): void {
    this.#sent = Math.ceil(this.#sent / this.#each) * this.#each
  }

  /** The one request of the load, with the address of the present client. */
  request(): Request {
    return {
      setupRequest: (request, context) => {
        const client = this.#next()
        Object.assign(context, { client })
        const path = `/api/v2/date/2026-03-0${1 + (this.#sent % 5)}${PATHS[this.#sent % PATHS.length]}`
        return { ...request, path, headers: { 'CF-Connecting-IP': client.address } }
      },
      onResponse: (status, body, context, headers) =>
        this.#note((context as { client: Client }).client, status, body, headers ?? {}),
    }
  }

  /** Addresses that got more, or fewer, than their share. */
  strange(): string[] {
    const problems: string[] = []
    this.complete = 0
    for (const { address, answered, refused } of this.#all) {
      const isComplete = answered + refused === this.#each
      if (isComplete) this.complete += 1
      if (answered > LIMIT || (isComplete && answered !== Math.min(this.#each, LIMIT)))
        problems.push(`${address} was answered ${answered} and refused ${refused}`)
    }
    return problems
  }

  #next(): Client {
    const index = Math.floor(this.#sent / this.#each)
    this.#sent += 1
    this.#all[index] ??= { address: addressOf(index), answered: 0, refused: 0 }
    return this.#all[index]
  }

  #note(client: Client, status: number, body: string, headers: Record<string, unknown>) {
    const expected = this.#each > LIMIT ? [200, 429] : [200]
    if (!this.#tally.note('a date read', status, expected, body)) return
    if (status === 200) client.answered += 1
    else {
      client.refused += 1
      const seconds = headers['Retry-After']
      if (!/^([1-9]|10)$/.test(String(seconds)))
        this.#tally.wrong(`Retry-After is ${String(seconds)}`)
    }
  }
}

/** A blocked address that waits as told must be answered again. */
async function blockProblems(url: string): Promise<string[]> {
  const ask = () =>
    fetch(`${url}/api/v2/date/2026-03-01/usd/blue`, {
      headers: { 'CF-Connecting-IP': '192.0.2.7' },
    })
  let refused: Response | undefined
  for (let count = 0; count <= LIMIT; count++) {
    const response = await ask()
    await response.arrayBuffer()
    if (response.status === 429) refused = response
  }
  if (!refused) return [`${LIMIT + 1} reads of one address were all answered`]

  await sleep(Number(refused.headers.get('Retry-After')) * 1000)
  const again = await ask()
  return again.status === 200 ? [] : [`after its Retry-After an address got ${again.status}`]
}

/** 10.0.0.0/8, from the start. */
function addressOf(index: number): string {
  return `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`
}
