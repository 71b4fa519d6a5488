import { expect, it } from 'vitest'
import { aBoardQuote, seedBoard } from '../support/board.ts'
import { NOON } from '../support/instant.ts'
import { openSite } from '../support/site.ts'

it.each([
  '/docs',
  '/openapi/quotes.json',
  '/',
  '/usd/blue',
  '/usd/blue/grafico.json',
  '/usd/blue/diario.csv',
  '/badge/usd/blue.svg',
  '/embed/usd/blue',
  '/brecha',
  '/calendario',
  '/usd/blue/2026-02-27',
  '/facturacion?fecha=2026-02-27&moneda=usd&monto=1500',
])('%s has a tag, and is 304 to a reader who has it', async (path) => {
  await seedBoard(NOON, { quotes: [aBoardQuote('USD/BLUE'), aBoardQuote('USD/OFICIAL')] })
  const { fetch, clock } = openSite()
  clock.now = NOON
  const first = await fetch(path)
  const tag = first.headers.get('ETag')!
  expect(tag).toMatch(/^"[0-9a-f]{40}"$/)
  const again = await fetch(path)
  expect(await again.text()).toBe(await first.text())
  expect(Object.fromEntries(again.headers)).toEqual(Object.fromEntries(first.headers))

  const unchanged = await fetch(path, { headers: { 'If-None-Match': tag } })
  expect([unchanged.status, await unchanged.text()]).toEqual([304, ''])
  expect(unchanged.headers.get('Cache-Control')).toBe(first.headers.get('Cache-Control'))
  const head = await fetch(path, { method: 'HEAD' })
  expect([head.status, head.headers.get('ETag')]).toEqual([200, tag])
})
