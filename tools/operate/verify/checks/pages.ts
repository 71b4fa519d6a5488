import * as z from 'zod'
import type { SendRequest } from '../../../support/http-client.ts'
import { check, type Check } from '../check.ts'
import { expectAnswer, parseJson, read, that } from '../expect.ts'

const PAGES = ['/', '/usd/oficial', '/estado', '/docs', '/docs/referencia', '/cuenta/entrar']

/** Files for machines and other sites, with their types. */
const FILES: readonly (readonly [path: string, type: string])[] = [
  ['/badge/usd/oficial.svg', 'image/svg\\+xml'],
  ['/embed/usd/oficial', 'text/html'],
  ['/llms.txt', 'text/plain'],
  ['/robots.txt', 'text/plain'],
  ['/sitemap.xml', 'application/xml'],
  ['/.well-known/security.txt', 'text/plain'],
  ['/static/icon.svg', 'image/svg\\+xml'],
]

const DOCUMENTS = [
  ['/openapi/quotes.json', '2.1.0', '/api/v2/quotes'],
  ['/openapi/webhooks.json', '2.4.0', '/api/v2/webhooks'],
  ['/openapi/extras.json', '1.0.0', '/api/v2/convert'],
] as const

/** What people and their programs see beside the API. */
export const pageChecks: Check[] = [
  check(
    'pages: the board, a pair, the status, the reference and the sign-in, in Spanish',
    async ({ ask }) => {
      for (const path of PAGES) {
        const answer = await ask(path)
        expectAnswer(path, answer, { status: 200, type: 'text/html' })
        that(answer.text.includes('<html lang="es'), `${path} is no page in Spanish`)
      }
    },
  ),
  check('pages: scripts from here alone, in no frame of others, no sniffing', async ({ ask }) => {
    for (const path of ['/', '/cuenta/entrar']) {
      expectAnswer(path, await ask(path), {
        status: 200,
        headers: {
          'Content-Security-Policy':
            /default-src 'none'; script-src 'self'.*frame-ancestors 'none'/,
          'Strict-Transport-Security': /^max-age=\d{7,}/,
          'X-Content-Type-Options': 'nosniff',
        },
      })
    }
  }),
  check(
    'files: a badge, a card, what crawlers and agents ask for, and a static file',
    async ({ ask }) => {
      for (const [path, type] of FILES) expectAnswer(path, await ask(path), { status: 200, type })
    },
  ),
  check('documents: the OpenAPI documents, in their versions', async ({ ask }) => {
    for (const [path, version, route] of DOCUMENTS) {
      const { paths } = await readDocument(ask, path, {
        openapi: z.string().startsWith('3.'),
        info: z.object({ version: z.literal(version) }),
        paths: z.record(z.string(), z.unknown()),
      })
      that(route in paths, `${path} does not describe ${route}`)
    }
  }),
]

async function readDocument<Shape extends z.ZodRawShape>(
  ask: SendRequest,
  path: string,
  shape: Shape,
) {
  const answer = await ask(path)
  const headers = { 'Access-Control-Allow-Origin': '*' }
  expectAnswer(path, answer, { status: 200, type: 'application/json', headers })
  return read(path, parseJson(path, answer.text), z.object(shape))
}
