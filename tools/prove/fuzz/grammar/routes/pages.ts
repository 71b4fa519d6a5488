import * as fc from 'fast-check'
import { pairKey } from '../../../../../shared/market/catalog.ts'
import { DOCUMENTS } from '../../../../../workers/site/reference/documents.ts'
import { type Draft, route, type Route } from '../route.ts'
import { pair, pairPath, pastDay, query } from '../values.ts'
import { escaped } from '../nasty.ts'

const DOCS = [
  ...'/docs /docs.md /docs/referencia /docs/webhooks /docs/planillas.md /docs/cambios'.split(' '),
  ...'/mudarse /mudarse.md /datos /datos.md'.split(' '),
  ...'/llms.txt /llms-full.txt'.split(' '),
  ...DOCUMENTS.map(({ path }) => path),
]
const FILES = '/robots.txt /sitemap.xml /.well-known/security.txt /favicon.ico'.split(' ')
const STATIC = '/static/site.css /static/board.js /static/icon.svg'.split(' ')

const page = (path: string, draft: fc.Arbitrary<Draft>, weight = 2): Route =>
  route(`GET ${path}`, { accepts: [200, 301, 304], weight }, draft)
/** The form of a date leads to that day's page. */
const onwards = (path: string, draft: fc.Arbitrary<Draft>): Route =>
  route(`GET ${path}`, { accepts: [301, 303] }, draft)
const here = (...targets: string[]) => fc.constantFrom(...targets).map((target) => ({ target }))
/** A page of any pair, in place of `{pair}`. */
const ofPair = (path: string, weight?: number, search = ''): Route =>
  page(labelOf(path), draftOf(path, search), weight)
const labelOf = (path: string) => path.replace('{pair}', '{currency}/{origin}')
const draftOf = (path: string, search: string) =>
  pairPath.map((p) => ({ target: path.replace('{pair}', p) + search }))

const converted = query({
  monto: fc.constantFrom('100', '1.500,50', '0', '1e3', '', '12345678901234567890'),
  par: pair.map((pair) => pairKey(pair).toLowerCase()),
  lado: fc.constantFrom('compra', 'venta', 'otro'),
}).map((query) => ({ target: `/${query}` }))

/** What people and their tools look at without an account. */
export const pageRoutes: Route[] = [
  page('/', converted),
  page('/tablero', here('/tablero')),
  ofPair('/{pair}', 3),
  ofPair('/{pair}/grafico.json', 2, '?todo=1'),
  ofPair('/{pair}/diario.csv'),
  ofPair('/{pair}/imagen.png'),
  ofPair('/{pair}/2024-06-05'),
  route(
    labelOf('GET /constancia/{pair}/2026-03-02'),
    { accepts: [200, 301, 404, 429], weight: 2 },
    fc
      .tuple(
        pairPath,
        query({
          hora: fc.constantFrom('12:00', '00:00:01', ''),
          huella: fc.constant('0'.repeat(64)),
        }),
      )
      .map(([pair, query]) => ({ target: `/constancia/${pair}/2026-03-02${query}` })),
  ),
  onwards(labelOf('/{pair}/fecha'), draftOf('/{pair}/fecha', '?dia=2024-06-05')),
  page('/brecha', here('/brecha', '/brecha?periodo=todo')),
  page(
    '/calendario',
    here('/calendario', '/calendario/2021', '/calendario/2025', '/calendario/2027'),
  ),
  page(
    '/facturacion',
    query({
      fecha: pastDay,
      moneda: fc.constantFrom('usd', 'EUR', 'jpy', 'xyz', ''),
      monto: fc.constantFrom('100', '1.500,50', '0', '1e3', '', '12345678901234567890'),
    }).map((query) => ({ target: `/facturacion${query}` })),
  ),
  ofPair('/badge/{pair}.svg'),
  ofPair('/embed/{pair}'),
  page('/estado', here('/estado')),
  page('/docs…', here(...DOCS)),
  page('/robots.txt…', here(...FILES)),
  page('/static/…', here(...STATIC), 1),
]

const ROOTS = [
  '',
  ...'/api /api/v2 /api/v1 /api/v2/date /api/v2/history /api/v2/webhooks /api/mcp'.split(' '),
  ...'/api/account /api/account/keys /api/auth /cuenta /cuenta/claves /cuenta/webhooks'.split(' '),
  ...'/badge /embed /docs /static /openapi /.well-known /usd /calendario'.split(' '),
]

export const nowhere: Route[] = [
  route(
    'GET anywhere',
    { accepts: [200, 301, 303, 304, 400, 401, 404, 405, 410, 429], weight: 5 },
    fc
      .tuple(fc.constantFrom(...ROOTS), fc.array(escaped, { minLength: 1, maxLength: 5 }))
      .map(([root, segments]) => ({ target: [root, ...segments].join('/') })),
  ),
]
