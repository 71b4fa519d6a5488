/** What is asked of the resolver, and a resolver that is at fault itself; its answers: dns-vectors. */
import { expect, it } from 'vitest'
import { DeadlinePassed, withDeadline } from '../../../workers/delivery/attempt/deadline.ts'
import { createResolver } from '../../../workers/delivery/attempt/resolver.ts'

const never = new AbortController().signal

/** A resolver over HTTPS; the questions that it was asked. */
function resolverOf(answer: (type: string, signal: AbortSignal) => object | Promise<object>) {
  const questions: string[] = []
  const fetch = (async (input: URL, init: RequestInit) => {
    const { searchParams } = new URL(input)
    const type = searchParams.get('type')!
    questions.push(`${searchParams.get('name')} ${type}`)
    const answered = await answer(type, init.signal!)
    return answered instanceof Response ? answered : Response.json(answered)
  }) as typeof globalThis.fetch
  const resolve = createResolver(fetch, { DNS_OVER_HTTPS_URL: 'https://dns.example.com/dns-query' })
  return { questions, ask: (signal = never) => resolve('hooks.example.com', signal) }
}

it('asks for A and AAAA, every time anew', async () => {
  const alias = { type: 5, data: 'elsewhere.example.com.' }
  const { ask, questions } = resolverOf((type) => {
    const record =
      type === 'A' ? { type: 1, data: '93.184.216.34' } : { type: 28, data: '2606:2800:220:1::1' }
    return { Status: 0, Answer: [alias, record] }
  })
  const value = ['93.184.216.34', '2606:2800:220:1::1']
  for (let attempt = 0; attempt < 2; attempt += 1) expect(await ask()).toEqual({ ok: true, value })
  const asked = ['hooks.example.com A', 'hooks.example.com AAAA']
  expect(questions).toEqual([...asked, ...asked])
})

it.each([
  ['out of reach', () => Promise.reject(new Error('refused'))],
  ['503', () => new Response('', { status: 503 })],
  ['HTML', () => new Response('<html>')],
  ['JSON of something else', () => ({ hello: 1 })],
])('a resolver that is %s is at fault itself', async (_, answer) => {
  expect(await resolverOf(answer).ask()).toEqual({ ok: false, refusal: 'resolver' })
})

it('ends with the attempt’s own deadline', async () => {
  const { ask } = resolverOf(
    (_, signal) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      ),
  )
  await expect(withDeadline(20, ask)).rejects.toBeInstanceOf(DeadlinePassed)
})

it('is never asked in clear', () => {
  expect(() => createResolver(fetch, { DNS_OVER_HTTPS_URL: 'http://dns.example.com/' })).toThrow(
    'https',
  )
})
