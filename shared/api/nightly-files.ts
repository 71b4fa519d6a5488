/** Operations that read the nightly files. */
import * as z from 'zod/mini'
import { MODES } from '../board/board.ts'
import * as sentence from '../sentences.ts'
import { always, notModified, publicJson, publicText, refusal, unavailable } from './answers.ts'
import { day, ifNoneMatch, noQuery, utcInstant, wholeNumber } from './fields.ts'
import {
  doc,
  type Answer,
  type Answers,
  named,
  operation,
  type Read,
  resource,
} from './operation.ts'

const SHA256 = '755c206a97faf59892028e2e8e2f112b12345b77304bb468014ae120ea437a4d'

const files = named('ArchivedFiles', 'Los archivos de la noche.', () => ({
  firstDay: doc(day(), 'El primer día de los archivos.', '2011-01-03'),
  lastDay: doc(day(), 'El último, que ya cerró.', '2026-03-01'),
  builtAt: utcInstant(),
  mode: doc(z.enum(MODES), 'Si los valores son reales.'),
  license: doc(z.literal('CC0-1.0'), 'De la compilación.'),
  files: z.array(
    z.object({
      name: doc(z.string(), '', 'cotizaciones.csv'),
      url: doc(z.string(), 'Desde la raíz de este servicio.', '/datos/cotizaciones.csv'),
      bytes: doc(wholeNumber(1), '', 4012345),
      rows: doc(wholeNumber(1), 'Sin el encabezado.', 98765),
      sha256: doc(z.string().check(z.regex(/^[0-9a-f]{64}$/)), '', SHA256),
    }),
  ),
}))

/** The answer with headers that let caches keep it, but make them revalidate it each time. */
function revalidated(answer: Answer): Answer {
  const headers = {
    'Cache-Control': always('Se guarda, y se pregunta cada vez.', { const: 'public, no-cache' }),
    'Last-Modified': always('De cuándo son; sirve en `If-Modified-Since`.', { type: 'string' }),
  }
  return { ...answer, headers: { ...answer.headers, ...headers } }
}

const validators = () => ({
  ...ifNoneMatch(),
  'If-Modified-Since': doc(
    z.optional(z.string()),
    'El `Last-Modified` anterior; sin `If-None-Match`.',
  ),
})

const read = <Params extends z.ZodMiniObject>({ ok, ...described }: Read<Params, Answers>) =>
  operation({
    method: 'get',
    description:
      'De los archivos de cada noche; sin límite propio. Quien los guarda pregunta cada vez con su `ETag` o su `Last-Modified`, así la lista, las sumas y los archivos son de la misma noche. Un parámetro es 400, salvo `_` y `t` en el CSV.',
    query: noQuery,
    headers: validators,
    ...described,
    answers: () => ({
      ...ok(),
      304: revalidated(notModified),
      400: refusal('La consulta tiene un parámetro.', sentence.NO_PARAMETERS),
      503: unavailable('Los archivos todavía no se hicieron.', sentence.FILES_UNPUBLISHED),
    }),
  })

export const listFiles = read({
  id: 'listFiles',
  path: '/datos/archivos.json',
  summary: 'Qué archivos hay',
  ok: () => ({ 200: revalidated(publicJson('La lista.', files())) }),
})

export const listSums = read({
  id: 'listSums',
  path: '/datos/SHA256SUMS',
  summary: 'Sus SHA-256, como los lee sha256sum',
  ok: () => ({
    200: revalidated(
      publicText('Una línea por archivo.', 'text/plain', `${SHA256}  cotizaciones.csv\n`),
    ),
  }),
})

function whole(description: string): Answer {
  const answer = publicText(description, 'text/csv')
  const content = { ...answer.content, 'application/vnd.apache.parquet': { schema: z.string() } }
  return revalidated({ ...answer, content })
}

export const readFile = read({
  id: 'readFile',
  path: '/datos/{name}',
  summary: 'Un archivo, entero o una parte',
  params: () =>
    z.object({
      name: doc(z.enum(['cotizaciones.csv', 'cotizaciones.parquet']), 'Cuál.', 'cotizaciones.csv'),
    }),
  notFoundText: sentence.RESOURCE_NOT_FOUND,
  headers: () => ({
    Range: doc(z.optional(z.string()), 'Una parte: `bytes=0-1023`, `bytes=1024-` o `bytes=-1024`.'),
    ...validators(),
  }),
  ok: () => ({
    200: whole('El archivo.'),
    206: whole('La parte pedida.'),
    404: refusal('No hay ese archivo.', sentence.RESOURCE_NOT_FOUND),
    416: refusal('El rango empieza después del final.', sentence.RANGE_OUTSIDE),
  }),
})

export const nightlyFiles = resource('Datos abiertos', 'Todos los cierres diarios, para bajar.', [
  listFiles,
  listSums,
  readFile,
])
