import * as fc from 'fast-check'
import { pairKey } from '../../../../shared/market/catalog.ts'
import { route, type Route } from '../route.ts'
import { pair, pairPath, query } from '../values.ts'

const DOCS = [
  ...'/docs /docs.md /docs/referencia /docs/webhooks /docs/planillas.md /docs/cambios'.split(' '),
  ...'/llms.txt /llms-full.txt /openapi/quotes.json /openapi/webhooks.json'.split(' '),
]

const PAGE = { accepts: [200, 301, 304] }

const here = (...targets: string[]) => fc.constantFrom(...targets).map((target) => ({ target }))
const ofPair = (make: (pair: string) => string) => pairPath.map((p) => ({ target: make(p) }))

const converted = query({
  monto: fc.constantFrom('100', '1.500,50', '0', '1e3', '', '12345678901234567890'),
  par: pair.map((pair) => pairKey(pair).toLowerCase()),
  lado: fc.constantFrom('compra', 'venta', 'otro'),
})

/** What people and their tools look at without an account. */
export const pageRoutes: Route[] = [
  route(
    'GET /',
    PAGE,
    converted.map((query) => ({ target: `/${query}` })),
  ),
  route('GET /tablero', PAGE, here('/tablero')),
  route(
    'GET /{currency}/{origin}',
    { ...PAGE, weight: 3 },
    ofPair((pair) => `/${pair}`),
  ),
  route(
    'GET /{currency}/{origin}/grafico.json',
    PAGE,
    ofPair((p) => `/${p}/grafico.json?todo=1`),
  ),
  route(
    'GET /{currency}/{origin}/diario.csv',
    PAGE,
    ofPair((pair) => `/${pair}/diario.csv`),
  ),
  route(
    'GET /{currency}/{origin}/imagen.png',
    PAGE,
    ofPair((pair) => `/${pair}/imagen.png`),
  ),
  route(
    'GET /{currency}/{origin}/imagen.svg',
    PAGE,
    ofPair((pair) => `/${pair}/imagen.svg`),
  ),
  route(
    'GET /{currency}/{origin}/{day}',
    PAGE,
    ofPair((pair) => `/${pair}/2024-06-05`),
  ),
  route(
    'GET /{currency}/{origin}/fecha',
    PAGE,
    ofPair((pair) => `/${pair}/fecha?dia=2024-06-05`),
  ),
  route('GET /brecha', PAGE, here('/brecha', '/brecha?periodo=todo')),
  route('GET /calendario', PAGE, here('/calendario', '/calendario/2026', '/calendario/1999')),
  route(
    'GET /badge/{currency}/{origin}.svg',
    PAGE,
    ofPair((pair) => `/badge/${pair}.svg`),
  ),
  route(
    'GET /embed/{currency}/{origin}',
    PAGE,
    ofPair((pair) => `/embed/${pair}`),
  ),
  route('GET /estado', PAGE, here('/estado')),
  route('GET /docs…', PAGE, here(...DOCS)),
  route(
    'GET /robots.txt…',
    PAGE,
    here('/robots.txt', '/sitemap.xml', '/.well-known/security.txt', '/favicon.ico'),
  ),
  route(
    'GET /static/…',
    { ...PAGE, weight: 1 },
    here('/static/site.css', '/static/board.js', '/static/icon.svg'),
  ),
]
