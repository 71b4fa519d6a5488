import * as z from 'zod'
import { notModified, publicJson, ref, refusal, unavailable } from '../responses.ts'
import type { ApiResponse, Header, Operation, Parameter } from '../openapi.ts'
import { ifNoneMatch } from '../parameters.ts'
import { day, utcInstant } from '../schemas/common.ts'
import type { Extension } from './extension.ts'
import {
  FILES_UNPUBLISHED,
  RANGE_OUTSIDE,
  RESOURCE_NOT_FOUND,
  NO_PARAMETERS,
} from '../../../../shared/sentences.ts'
import { MODES } from '../../../../shared/board/board.ts'

const TAG = 'Datos abiertos'
const NAMES = ['cotizaciones.csv', 'cotizaciones.parquet']
const SHA256 = '755c206a97faf59892028e2e8e2f112b12345b77304bb468014ae120ea437a4d'

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

const file = z.object({
  name: z.string(),
  url: z.string().describe('Desde la raíz de este servicio.'),
  bytes: z.int().min(1),
  rows: z.int().min(1).describe('Sin el encabezado.'),
  sha256,
})

const files = z
  .object({
    firstDay: day.describe('El primer día de los archivos.'),
    lastDay: day.describe('El último, que ya cerró.'),
    builtAt: utcInstant,
    mode: z.enum(MODES).describe('Si los valores son reales.'),
    license: z.literal('CC0-1.0').describe('De la compilación.'),
    files: z.array(file),
  })
  .describe('Los archivos de la noche.')

const example = {
  firstDay: '2011-01-03',
  lastDay: '2026-03-01',
  builtAt: '2026-03-02T03:05:00.000Z',
  mode: 'live',
  license: 'CC0-1.0',
  files: [
    {
      name: 'cotizaciones.csv',
      url: '/datos/cotizaciones.csv',
      bytes: 4012345,
      rows: 98765,
      sha256: SHA256,
    },
  ],
}

const name: Parameter = {
  name: 'name',
  in: 'path',
  required: true,
  description: 'Un nombre de la lista.',
  schema: { type: 'string', enum: NAMES },
  example: 'cotizaciones.csv',
}

const range: Parameter = {
  name: 'Range',
  in: 'header',
  description: 'Una parte: `bytes=0-1023`, `bytes=1024-` o `bytes=-1024`.',
  schema: { type: 'string' },
}

const unpublished = unavailable('Los archivos todavía no se hicieron.', FILES_UNPUBLISHED)
const withParameters = refusal('La consulta tiene un parámetro.', NO_PARAMETERS)

const validated: Header = {
  description: 'Se guarda, y se pregunta cada vez.',
  required: true,
  schema: { const: 'public, no-cache' },
}

/** The same response, which caches revalidate each time. */
function kept(answer: ApiResponse): ApiResponse {
  return { ...answer, headers: { ...answer.headers, 'Cache-Control': validated } }
}

/** A file as it is: text or, of Parquet, bytes. */
const contents = Object.fromEntries(
  ['text/csv', 'application/vnd.apache.parquet'].map((type) => [
    type,
    { schema: { type: 'string' } },
  ]),
)

const read = (
  operationId: string,
  summary: string,
  responses: Record<string, ApiResponse>,
  parameters: Parameter[] = [],
): Operation => ({
  operationId,
  summary,
  description:
    'De los archivos de cada noche; sin límite propio. Quien los guarda pregunta cada vez con su `ETag`, así la lista, las sumas y los archivos son de la misma noche. Un parámetro es 400.',
  tags: [TAG],
  security: [],
  parameters: [...parameters, ifNoneMatch],
  responses: { ...responses, '304': kept(notModified), '400': withParameters, '503': unpublished },
})

/** The nightly files. */
export const archiveExtension: Extension = {
  tag: { name: TAG, description: 'Todos los cierres diarios, para bajar.' },
  schemas: { ArchivedFiles: files },
  paths: () => ({
    '/datos/archivos.json': {
      get: read('listFiles', 'Qué archivos hay', {
        '200': kept(publicJson('La lista.', ref('ArchivedFiles'), example)),
      }),
    },
    '/datos/SHA256SUMS': {
      get: read('listSums', 'Sus SHA-256, como los lee sha256sum', {
        '200': {
          ...kept(publicJson('Una línea por archivo.', {}, null)),
          content: {
            'text/plain': {
              schema: { type: 'string' },
              example: `${SHA256}  cotizaciones.csv\n`,
            },
          },
        },
      }),
    },
    '/datos/{name}': {
      get: read(
        'readFile',
        'Un archivo, entero o una parte',
        {
          '200': { ...kept(publicJson('El archivo.', {}, null)), content: contents },
          '206': { ...kept(publicJson('La parte pedida.', {}, null)), content: contents },
          '404': refusal('No hay ese archivo.', RESOURCE_NOT_FOUND),
          '416': refusal('El rango empieza después del final.', RANGE_OUTSIDE),
        },
        [name, range],
      ),
    },
  }),
}
