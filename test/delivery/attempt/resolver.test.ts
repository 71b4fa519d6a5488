import { describe, expect, it } from 'vitest'
import { DeadlinePassed, withDeadline } from '../../../workers/delivery/attempt/deadline.ts'
import { platformEgress } from '../../../workers/delivery/attempt/egress.ts'
import { createResolver } from '../../../workers/delivery/attempt/resolver.ts'

const URL_OF_DNS = 'https://dns.example.com/dns-query'
const never = new AbortController().signal

type Answer = object | Response | Error | 'never'

/** A resolver over HTTPS that answers each type of question; the questions that it was asked. */
function resolverOf(answers: { A: Answer; AAAA: Answer }) {
  const questions: string[] = []
  const fetch = (async (input: URL | string, init?: RequestInit) => {
    const url = new URL(input)
    questions.push(`${url.searchParams.get('name')} ${url.searchParams.get('type')}`)
    const answer = answers[url.searchParams.get('type') as 'A' | 'AAAA']
    if (answer instanceof Error) throw answer
    if (answer === 'never')
      return new Promise((_, reject) =>
        init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason as Error)),
      )
    return answer instanceof Response ? answer : Response.json(answer)
  }) as typeof globalThis.fetch
  return { resolve: createResolver({ fetch, url: URL_OF_DNS }), questions }
}

const addresses = (type: 1 | 28, ...data: string[]) => ({
  Status: 0,
  Answer: [
    { type: 5, data: 'elsewhere.example.com.' },
    ...data.map((one) => ({ type, data: one })),
  ],
})
const none = { Status: 0 }

describe('resolving', () => {
  it('asks for A and AAAA, every time anew', async () => {
    const { resolve, questions } = resolverOf({
      A: addresses(1, '93.184.216.34'),
      AAAA: addresses(28, '2606:2800:220:1::1'),
    })
    const expected = ['93.184.216.34', '2606:2800:220:1::1']
    for (let attempt = 0; attempt < 2; attempt += 1)
      expect(await resolve('hooks.example.com', never)).toEqual({
        ok: true,
        value: expected,
      })
    expect(questions).toEqual([
      'hooks.example.com A',
      'hooks.example.com AAAA',
      'hooks.example.com A',
      'hooks.example.com AAAA',
    ])
  })

  it.each<[string, Answer, Answer, string]>([
    ['NXDOMAIN', { Status: 3 }, { Status: 3 }, 'network'],
    ['SERVFAIL for one family', addresses(1, '93.184.216.34'), { Status: 2 }, 'network'],
    ['no address at all', none, none, 'network'],
    ['a private address', addresses(1, '10.0.0.1'), none, 'destination'],
    ['a mixed set', addresses(1, '93.184.216.34', '127.0.0.1'), none, 'destination'],
    ['a private AAAA', addresses(1, '93.184.216.34'), addresses(28, 'fd00::1'), 'destination'],
    ['an address that does not parse', addresses(1, '1.2.3'), none, 'destination'],
    ['a time-out of the name', 'never', none, 'network'],
    ['out of reach', new Error('refused'), none, 'resolver'],
    ['503', new Response('', { status: 503 }), none, 'resolver'],
    ['HTML', new Response('<html>'), none, 'resolver'],
    ['JSON of something else', { hello: 1 }, none, 'resolver'],
  ])('%s', async (_, A, AAAA, refusal) => {
    const { resolve } = resolverOf({ A, AAAA })
    expect(await resolve('hooks.example.com', never)).toEqual({
      ok: false,
      refusal,
    })
  })

  it('ends with the attempt’s own deadline', async () => {
    const { resolve } = resolverOf({ A: 'never', AAAA: 'never' })
    await expect(
      withDeadline(20, (signal) => resolve('hooks.example.com', signal)),
    ).rejects.toBeInstanceOf(DeadlinePassed)
  })

  it('is never asked in clear', () => {
    expect(() => createResolver({ fetch, url: 'http://dns.example.com/' })).toThrow('https')
  })
})

const request = (url: string) => ({
  url: new URL(url),
  addresses: ['93.184.216.34'],
  accountId: 'account',
  headers: { 'Content-Type': 'application/json' },
  body: '{}',
})

describe('the platform’s fetch', () => {
  it('shows a redirect and follows none, and cancels the body', async () => {
    let [redirect, cancelled]: unknown[] = []
    const body = new ReadableStream({ cancel: () => void (cancelled = true) })
    const egress = platformEgress(async (_, init) => {
      redirect = init?.redirect
      return new Response(body, { status: 302, headers: { 'Retry-After': '7' } })
    })
    expect(await egress(request('https://hooks.example.com/'), never)).toEqual({
      code: 302,
      retryAfter: '7',
    })
    expect([redirect, cancelled]).toEqual(['manual', true])
  })

  it.each(['https://93.184.216.34/', 'https://[2606:2800:220:1::1]/'])(
    '%s is destination, without a request',
    async (url) => {
      let requests = 0
      const egress = platformEgress(async () => {
        requests += 1
        return new Response()
      })
      await expect(egress(request(url), never)).rejects.toMatchObject({
        errorType: 'destination',
      })
      expect(requests).toBe(0)
    },
  )

  it('names no cause that the platform hides', async () => {
    const egress = platformEgress(async () =>
      Promise.reject(new Error('internal error; reference = 1')),
    )
    await expect(egress(request('https://a.example.com/'), never)).rejects.toMatchObject({
      errorType: 'network',
    })
  })
})
