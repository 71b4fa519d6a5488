import { check, type Check } from '../check.ts'
import { expectAnswer, expectError, that } from '../expect.ts'
import { QUOTE_NOT_FOUND } from '../../../../shared/sentences.ts'

/** A 404 of each kind, and the methods that a path does not have. */
export const errorChecks: Check[] = [
  check(
    '404 of a pair outside the catalogue: a page, or the Error object to who prefers JSON',
    async ({ ask }) => {
      for (const path of ['/api/v2/usd/nada', '/api/usd/nada']) {
        const page = await ask(path, { headers: { Accept: 'text/html' } })
        expectAnswer(path, page, {
          status: 404,
          type: 'text/html',
          headers: { 'Cache-Control': 'no-store' },
        })
        const json = await ask(path, { headers: { Accept: 'application/json' } })
        const text = expectError(path, json, { status: 404 })
        that(text === QUOTE_NOT_FOUND, `${path} says ${text}`)
      }
    },
  ),
  check('404 of a currency, of a route and of a dated pair: the Error object', async ({ ask }) => {
    for (const path of [
      '/api/v2/xyz',
      '/api/v2/una/ruta/que/no/existe',
      '/api/v2/date/2026-01-02/usd/nada',
    ])
      expectError(path, await ask(path), { status: 404 })
  }),
  check('404 of a page: a page', async ({ ask }) => {
    const answer = await ask('/una-pagina-que-no-existe')
    expectAnswer('an unknown page', answer, {
      status: 404,
      type: 'text/html',
      headers: { 'Cache-Control': 'no-store' },
    })
  }),
  check('405 with Allow for a method that a path does not have', async ({ ask }) => {
    for (const path of ['/api/v2/quotes', '/api/v2/status']) {
      const answer = await ask(path, { method: 'DELETE' })
      expectError(`DELETE ${path}`, answer, { status: 405, headers: { Allow: /\bGET\b/ } })
    }
  }),
]
