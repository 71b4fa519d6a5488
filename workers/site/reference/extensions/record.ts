/** The record: manifests that name each other, their signatures and keys, and the file of each day. */
import * as z from 'zod'
import { RECORD_VERSION } from '../../../../shared/board/record.ts'
import { RESOURCE_NOT_FOUND } from '../../../../shared/sentences.ts'
import { dateLimit, publicJson, ref, refusal } from '../responses.ts'
import type { Parameter } from '../openapi.ts'
import { argentineInstant, currency, day, origin, utcInstant } from '../schemas/common.ts'
import { example, file, kept, kid, read, sha256, SHA256 } from './archive.ts'
import type { Extension } from './extension.ts'

const TAG = 'Registro firmado'
const KID = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k'

const price = z.object({ buy: z.number(), sell: z.number() })

export const manifest = z
  .object({
    version: z.literal(RECORD_VERSION),
    number: z.int().min(1).describe('1, 2, … sin huecos.'),
    name: z.string(),
    firstDay: day,
    lastDay: day.describe('El último día cerrado.'),
    builtAt: utcInstant,
    mode: z.enum(['live', 'demo', 'upstream']).describe('Si los valores son reales.'),
    license: z.literal('CC0-1.0'),
    key: kid,
    previous: z
      .object({ name: z.string(), url: z.string(), sha256 })
      .nullable()
      .describe('El manifiesto anterior; nulo en el primero.'),
    files: z.array(file),
    days: z
      .array(z.object({ date: day, sha256 }))
      .describe('Los días que cerraron desde el anterior, con el SHA-256 de su archivo.'),
    rewritten: z
      .array(z.object({ from: day, to: day, reasons: z.array(z.string()) }))
      .describe(
        'Días de antes cuyo archivo cambió, con los motivos de las correcciones que los alcanzan; sin motivos, los cambió una importación.',
      ),
    corrections: z
      .array(
        z.object({
          currency,
          origin,
          at: argentineInstant,
          action: z.enum(['replace', 'remove']),
          before: price,
          after: price.nullable().describe('Nulo si el punto se quitó.'),
          reason: z.string(),
          madeAt: utcInstant,
        }),
      )
      .describe('Las correcciones a mano desde el anterior.'),
  })
  .describe('Un manifiesto del registro: son los bytes firmados.')

const keys = z
  .object({
    keys: z.array(
      z.object({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        x: z.string(),
        kid: z.string().describe('La huella de la clave (RFC 7638).'),
        use: z.literal('sig'),
        alg: z.literal('EdDSA'),
        pem: z.string().describe('La misma clave para OpenSSL.'),
        firstUsedAt: utcInstant,
      }),
    ),
  })
  .describe('Todas las claves que firmaron alguna vez.')

const manifestExample = {
  version: RECORD_VERSION,
  number: 412,
  name: '2026-03-01',
  firstDay: '2011-01-03',
  lastDay: '2026-03-01',
  builtAt: '2026-03-02T03:05:00.000Z',
  mode: 'live',
  license: 'CC0-1.0',
  key: KID,
  previous: {
    name: '2026-02-28',
    url: '/datos/manifiestos/2026-02-28.json',
    sha256: SHA256,
  },
  files: example.files,
  days: [{ date: '2026-03-01', sha256: SHA256 }],
  rewritten: [{ from: '2026-02-20', to: '2026-02-20', reasons: ['faltaba una cifra'] }],
  corrections: [
    {
      currency: 'USD',
      origin: 'BLUE',
      at: '2026-02-20T11:09:51.000-03:00',
      action: 'replace',
      before: { buy: 113, sell: 115 },
      after: { buy: 1130, sell: 1150 },
      reason: 'faltaba una cifra',
      madeAt: '2026-03-01T14:00:00.000Z',
    },
  ],
}

const keysExample = {
  keys: [
    {
      kty: 'OKP',
      crv: 'Ed25519',
      x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
      kid: KID,
      use: 'sig',
      alg: 'EdDSA',
      pem: '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n-----END PUBLIC KEY-----\n',
      firstUsedAt: '2025-01-14T03:05:00.000Z',
    },
  ],
}

const manifestFile: Parameter = {
  name: 'manifest',
  in: 'path',
  required: true,
  description:
    'El manifiesto de la noche de un día, `2026-03-01.json`; los siguientes de ese mismo día son `2026-03-01.2.json`, … y el último de todos, `ultimo.json`. Con `.sig` al final, su firma: Ed25519 sobre los bytes del manifiesto, en base64.',
  schema: {
    type: 'string',
    pattern: '^(ultimo|\\d{4}-\\d{2}-\\d{2}(\\.[1-9]\\d*)?)\\.json(\\.sig)?$',
  },
  example: 'ultimo.json',
}

const dayFile: Parameter = {
  name: 'dayFile',
  in: 'path',
  required: true,
  description: 'Un día cerrado, `2026-03-01.csv`.',
  schema: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}\\.csv$' },
  example: '2026-03-01.csv',
}

/** What proves the open data. */
export const recordExtension: Extension = {
  tag: {
    name: TAG,
    description: 'Los manifiestos encadenados y firmados que prueban los archivos, y sus claves.',
  },
  schemas: { RecordManifest: manifest, RecordKeys: keys },
  paths: (terms) => ({
    '/datos/manifiestos/{manifest}': {
      get: read(
        TAG,
        'readManifest',
        'El manifiesto de una noche, o su firma',
        {
          '200': {
            ...kept(publicJson('El manifiesto, o su firma.', {}, null)),
            content: {
              'application/json': { schema: ref('RecordManifest'), example: manifestExample },
              'text/plain': { schema: { type: 'string' } },
            },
          },
          '404': refusal('No hay ese manifiesto, o no está firmado.', RESOURCE_NOT_FOUND),
        },
        [manifestFile],
      ),
    },
    '/.well-known/cotizaciones-keys.json': {
      get: read(TAG, 'listRecordKeys', 'Las claves públicas de las firmas', {
        '200': kept(publicJson('Las claves.', ref('RecordKeys'), keysExample)),
      }),
    },
    '/datos/dias/{dayFile}': {
      get: {
        ...read(
          TAG,
          'readDayFile',
          'El archivo de un día',
          {
            '200': {
              ...kept(publicJson('El archivo.', {}, null)),
              content: {
                'text/csv': {
                  schema: { type: 'string' },
                  example:
                    'currency,origin,at,buy,sell,source\r\nUSD,BLUE,2026-02-27T16:00:00.000-03:00,1420,1440,dolarhoy\r\n',
                },
              },
            },
            '404': refusal('El día no cerró o no hay datos de él.', RESOURCE_NOT_FOUND),
            '429': dateLimit(terms),
          },
          [dayFile],
        ),
        description:
          'De cada par, el valor vigente al empezar el día y cada cambio, con su fuente. Su SHA-256 está en `dias.sha256` y en el manifiesto de su noche. Cuenta para el límite de las consultas por fecha.',
      },
    },
  }),
}
