import * as fc from 'fast-check'
import { KEYS_PATH } from '../../../../../shared/board/record.ts'
import { BNA, CASAS } from '../../../../../shared/compatibility/casas.ts'
import type { Header } from '../../request.ts'
import { route, type Route } from '../route.ts'
import { currency, day, pairPath, query } from '../values.ts'
import { weighted } from '../weighted.ts'

const READ = { accepts: [200, 304], weight: 2 }
/** Where history or files are not there yet: 503. What a new market does not have: 404. */
const FILE = { accepts: [200, 206, 304, 416, 503], weight: 1 }
/** Before the first night: 503. A day or a night that is none: 404. */
const RECORD = { accepts: [200, 304, 404, 429, 503], weight: 1 }
const PEER = { accepts: [200, 304], weight: 2 }
const PAST = { accepts: [200, 304, 404, 429, 503], weight: 2 }

const ifNoneMatch = weighted<readonly Header[]>(
  [3, fc.constant([])],
  [1, fc.constant([['If-None-Match', '*'] as const])],
)
const range = weighted<readonly Header[]>(
  [2, fc.constant([])],
  [
    2,
    fc
      .tuple(fc.nat(2000), fc.option(fc.nat(2000)))
      .map(([first, more]) => [
        ['Range', `bytes=${first}-${more === null ? '' : first + more}`] as const,
      ]),
  ],
)

const at = (target: fc.Arbitrary<string>, headers = ifNoneMatch) => fc.record({ target, headers })
const here = (...targets: string[]) => at(fc.constantFrom(...targets))

const locale = fc.constantFrom('es-AR', 'en-US', 'es-ar')
const form = query({ format: fc.constant('csv'), locale: fc.constantFrom('es-AR', 'en-US') }).map(
  (text) => (text.includes('format') ? text : ''),
)
const number = fc
  .record({ field: fc.constantFrom('buy', 'sell'), locale })
  .map(({ field, locale }) => `?format=value&field=${field}&locale=${locale}`)

const casa = fc.constantFrom(...CASAS.map(({ casa }) => casa))
const moneda = fc.constantFrom('usd', 'eur', 'brl', 'clp', 'uyu')
const slashed = day.filter((text) => !text.startsWith('{')).map((text) => text.replaceAll('-', '/'))

/** Forms of current reads, nightly files, and the addresses of peers. */
export const peerRoutes: Route[] = [
  route('GET /api/v2/quotes?format', READ, at(form.map((query) => `/api/v2/quotes${query}`))),
  route(
    'GET /api/v2/{currency}?format',
    READ,
    at(fc.tuple(currency, form).map(([code, query]) => `/api/v2/${code}${query}`)),
  ),
  route(
    'GET /api/v2/{currency}/{origin}?format',
    READ,
    at(fc.tuple(pairPath, number).map(([pair, query]) => `/api/v2/${pair}${query}`)),
  ),
  route(
    'GET /datos/{name}',
    FILE,
    at(
      fc
        .constantFrom(
          'archivos.json',
          'SHA256SUMS',
          'dias.sha256',
          ...['csv', 'parquet', 'sqlite'].map((ending) => `cotizaciones.${ending}`),
        )
        .map((name) => `/datos/${name}`),
      range,
    ),
  ),
  route(
    'GET /datos/manifiestos/{manifest}',
    RECORD,
    at(
      fc
        .tuple(day, fc.constantFrom('', '.2'), fc.constantFrom('.json', '.json.sig'))
        .map(([name, more, ending]) => `/datos/manifiestos/${name}${more}${ending}`),
    ),
  ),
  route('GET /datos/dias/{dayFile}', RECORD, at(day.map((name) => `/datos/dias/${name}.csv`))),
  route('GET /.well-known/cotizaciones-keys.json', RECORD, here(KEYS_PATH)),
  route('GET /v1/dolares…', PEER, here('/v1/dolares', '/v1/ambito/dolares', '/v1/estado')),
  route('GET /v1/dolares/{casa}', PEER, at(casa.map((casa) => `/v1/dolares/${casa}?_=1`))),
  route('GET /v1/ambito/dolares/{casa}', PEER, here(`/v1/ambito/dolares/${BNA.casa}`)),
  route('GET /v1/cotizaciones…', PEER, here('/v1/cotizaciones', '/v1/cotizaciones/eur')),
  route('GET /v2/latest', PEER, here('/v2/latest', '/v2/latest/')),
  route(
    'GET /v1/cotizaciones/dolares…',
    PAST,
    at(casa.map((casa) => `/v1/cotizaciones/dolares/${casa}`)),
  ),
  route(
    'GET /v1/cotizaciones/dolares/{day}',
    PAST,
    at(slashed.map((day) => `/v1/cotizaciones/dolares/${day}`)),
  ),
  route(
    'GET /v1/cotizaciones/{moneda}/{day}',
    PAST,
    at(fc.tuple(moneda, slashed).map(([code, day]) => `/v1/cotizaciones/${code}/${day}`)),
  ),
  route(
    'GET /v1/finanzas/indices/…',
    PAST,
    here('/v1/finanzas/indices/riesgo-pais', '/v1/finanzas/indices/uva'),
  ),
  route('GET /v2/historical', PAST, at(day.map((day) => `/v2/historical?day=${day}`))),
  route('GET /v2/evolution.json', PAST, here('/v2/evolution.json', '/v2/evolution.json?days=3')),
  route('GET /v2/evolution.csv', PAST, here('/v2/evolution.csv', '/v2/evolution.csv?days=3')),
]
