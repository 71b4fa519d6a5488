import { describe, expect, it } from 'vitest'
import type { Reading } from '../../workers/scraper/sources/source.ts'
import { SourceError } from '../../workers/scraper/sources/parsing/source-error.ts'
import { sourceNamed } from '../../workers/scraper/sources/index.ts'
import { art } from '../support/instant.ts'
import { readingLine } from '../../tools/operate/check-sources.ts'
import { recording } from './recordings.ts'

/** After the newest recording. */
const now = art('2026-10-06 23:00')

/** Offers without their totals and times, futures without their day. */
function short(reading: Reading): string {
  return readingLine(reading).replace(/ (?:total|on) .*/, '')
}

/** What a document says, or the class that its source fails with. */
function read(source: string, file: string, at = now): string[] | string {
  try {
    return sourceNamed(source)
      .parse(recording(`documents/${file}`), at)
      .map(short)
  } catch (error) {
    return error instanceof SourceError ? error.failure : String(error)
  }
}

const cases: [file: string, source: string, readings: string[] | string, at?: number][] = [
  [
    'a3/closing-prices_2026-09-02.trimmed.json',
    'a3-dlr',
    [
      '2026-09 1509.5 1509.5',
      '2026-10 1536.5 1536.5',
      '2026-12 1619.5 1619.5',
      '2027-06 1802 1802',
    ],
  ],
  ['ambito/dolar_informal_variacion.json', 'ambito-blue', ['USD/BLUE 1515 1535']],
  [
    'ambito/dolar_oficial_variacion_2026-08-21.reconstructed.json',
    'ambito-oficial',
    ['USD/OFICIAL 1466.86 1518.13'],
  ],
  [
    'ambito/dolarfuturo_datos.reconstructed.json',
    'ambito-futuro-contratos',
    ['2026-09 1508.5 1509.5', '2026-10 1536 1537'],
  ],
  [
    'ambito/dolarrava_mep_variacion_2026-08-21.reconstructed.json',
    'ambito-mep',
    ['USD/BOLSA 1535.08 1535.08'],
  ],
  ['ambito/riesgopais_jornada_2026-05-11.json', 'ambito-riesgo-jornada', ['ARG/RIESGO 510 510']],
  ['ambito/riesgopais_variacion-ultimo_2026-04-24.json', 'ambito-riesgo', ['ARG/RIESGO 557 557']],
  // Another route of Ámbito: an array of arrays where an object is due.
  ['ambito/dolar_informal_historico-general.json', 'ambito-blue', 'format'],
  // Stalled: a value of February read in October is none.
  ['argentinadatos/v1_finanzas_indices_riesgo-pais_ultimo.json', 'argentinadatos-riesgo', 'empty'],
  [
    'argentinadatos/v1_finanzas_indices_riesgo-pais_ultimo.json',
    'argentinadatos-riesgo',
    ['ARG/RIESGO 519 519'],
    art('2026-02-22 12:00'),
  ],
  [
    'bcra/cotizaciones_2026-03-20.json',
    'bcra-cotizaciones',
    [
      'REF 2026-03-20 1393.438',
      'EUR 2026-03-20 1607.418',
      'EUR/USD 2026-03-20 1.156',
      'BRL 2026-03-20 262.393146',
      'CLP 2026-03-20 1.493186',
      'UYU 2026-03-20 34.131075',
    ],
  ],
  ['bcra/cotizaciones_no_business_day.reconstructed.json', 'bcra-cotizaciones', []],
  // The route by currency: `results` is a list there.
  ['bcra/cotizaciones_usd_2026-09-23_25.trimmed.json', 'bcra-cotizaciones', 'format'],
  [
    'bcra/monetarias_v4_30_cer_2026-10.trimmed.json',
    'bcra-cer',
    ['CER 2026-10-15 854.45861540882', 'CER 2026-10-14 853.97862664495'],
  ],
  [
    'bcra/monetarias_v4_31_uva.reconstructed.json',
    'bcra-uva',
    ['UVA 2026-08-22 2086.45', 'UVA 2026-07-09 2029.47', 'UVA 2026-07-08 2028.06'],
  ],
  // Another variable's series, empty or not, is not ours.
  ['bcra/monetarias_v4_40_icl_2026-10.trimmed.json', 'bcra-cer', 'format'],
  ['belo/public_price.reconstructed.json', 'belo', ['USD/CRIPTO 1564 1584']],
  [
    'bna/Personas_2026-08-05.reconstructed.html',
    'bna-personas',
    [
      'USD/BNA 1470 1520',
      'EUR/BNA 1668.6 1764.68',
      'BRL/BNA 285 300',
      'USD/MAYORISTA 1484.5 1493.5',
      'EUR/OFICIAL 1717.4675 1731.6002',
      'wholesale 2026-08-05 1785942120000, 1 USD 1484.5 1493.5, 1 EUR 1717.4675 1731.6002',
    ],
  ],
  [
    'bna/snippet_2022.html',
    'bna-personas',
    ['USD/BNA 175.25 183.25', 'EUR/BNA 183.75 192.75', 'BRL/BNA 31.2 35.2', 'missing #divisas'],
  ],
  [
    'bna/snippet_2026-08-04.html',
    'bna-personas',
    [
      'USD/BNA 1465 1515',
      'missing EUR/BNA Euro',
      'missing BRL/BNA Real *',
      'missing #divisas date',
    ],
  ],
  [
    'byma/public-bonds_2026-09-28.trimmed.json',
    'byma-bonds',
    ['AL30 83940 null null', 'AL30D 53.97 null null'],
  ],
  [
    'byma/public-bonds_full_record.reconstructed.json',
    'byma-bonds',
    ['AL30 83940 83870 83940', 'AL30D 53.97 53.96 53.97', 'AL30C 51.75 51.75 52.99'],
  ],
  ['byma/public-bonds_weekend.trimmed.json', 'byma-bonds', 'empty'],
  ['comparadolar/usdt.reconstructed.json', 'comparadolar', ['belo 1564 1584', 'fiwind 1565 1578']],
  [
    'criptoya/api_USDT_ARS.reconstructed.json',
    'criptoya-usdt',
    [
      'fiwind 1565 1578',
      'belo 1564 1584',
      'buenbit 1561.9 1588.1',
      'binancep2p 1570 1580',
      'huobip2p 1500 0',
      'mexcp2p 1201 0',
    ],
  ],
  [
    'criptoya/api_bancostodos_2026-08-05.trimmed.json',
    'criptoya-bancos',
    ['andina 1475 1525', 'bna 1470 1520', 'bapro 1375 1425'],
  ],
  ['criptoya/api_cer.reconstructed.json', 'criptoya-cer', ['CER 2026-09-22 848.32']],
  ['criptoya/api_uva.reconstructed.json', 'criptoya-uva', ['UVA 2026-09-22 2141.9']],
  // Two years old: every price in it stands still.
  ['criptoya/api_dolar_2024-09-14.json', 'criptoya-dolar', 'empty'],
  [
    'criptoya/api_dolar_2024-09-14.json',
    'criptoya-dolar',
    [
      'USD/BLUE 1235 1265',
      'USD/BOLSA 1226.69 1226.69',
      'USD/CCL 1250.72 1250.72',
      'USD/CRIPTO 1254 1258.46',
    ],
    art('2024-09-14 16:05'),
  ],
  ['criptoya/invalid_pair.txt', 'criptoya-usdt', 'format'],
  [
    'data912/live_arg_bonds_2026-09-28.trimmed.json',
    'data912-bonds',
    ['AL30 83940 83870 83940', 'AL30C 51.75 51.75 52.99', 'AL30D 53.97 53.96 53.97'],
  ],
  ['data912/historical_unknown_ticker.json', 'data912-bonds', 'format'],
  [
    'dolarapi/v1_dolares.json',
    'dolarapi-dolares',
    [
      'USD/BNA 1470 1520',
      'USD/BLUE 1530 1550',
      'USD/BOLSA 1531.7 1545.3',
      'USD/CCL 1588.3 1589.7',
      'USD/MAYORISTA 1490 1499',
      'USD/CRIPTO 1582.1 1585.99',
      'USD/TARJETA 1911 1976',
    ],
  ],
  [
    'dolarapi/v1_ambito_dolares.json',
    'dolarapi-ambito',
    ['USD/OFICIAL 1466.86 1518.13', 'USD/BNA 1470 1520'],
  ],
  [
    'dolarapi/v1_cotizaciones.json',
    'dolarapi-cotizaciones',
    [
      'EUR/OFICIAL 1738.979 1753.2304',
      'BRL/OFICIAL 291.5284 291.6966',
      'CLP/OFICIAL 1.6378 1.6378',
      'UYU/OFICIAL 37.2899 37.2901',
    ],
  ],
  ['dolarapi/v1_dolares_blue.json', 'dolarapi-dolares', 'format'],
  ['dolarapi/v1_exchanges_argt_usd.json', 'dolarapi-dolares', 'empty'],
  ['dolarhoy/home_blue.trimmed.html', 'dolarhoy', ['USD/BLUE 1385 1405']],
  [
    'iol/monedas.reconstructed.html',
    'iol-monedas',
    [
      'EUR/OFICIAL 1738.979 1753.2304',
      'BRL/OFICIAL 291.5284 291.6966',
      'CLP/OFICIAL 1.6378 1.6378',
      'UYU/OFICIAL 37.2899 37.2901',
    ],
  ],
  ['rava/riesgo-pais_hoy.reconstructed.html', 'rava-riesgo', ['ARG/RIESGO 607 607']],
]

describe('recorded documents', () => {
  it.each(cases)('%s by %s', (file, source, readings, at = now) => {
    expect(read(source, file, at)).toEqual(readings)
  })

  it('give the whole tail of the UVA series', () => {
    const file = 'argentinadatos/v1_finanzas_indices_uva_tail_2026-07.json'
    const readings = read('argentinadatos-uva', file)
    expect(readings).toHaveLength(19)
    expect(readings.at(-1)).toBe('UVA 2026-07-13 2029.47')
  })

  it.each([
    ['dolarapi/dolares_2026-01_2026-02.jsonl', 'dolarapi-dolares', 7, 495],
    ['dolarapi/cotizaciones_2026-01_2026-02.jsonl', 'dolarapi-cotizaciones', 4, 270],
  ])('%s: every body quotes all pairs', (file, source, pairs, count) => {
    const lines = recording(`documents/${file}`).trim().split('\n')
    const sizes = lines.map((text) => {
      const { committed_at, body } = JSON.parse(text) as { committed_at: string; body: unknown }
      const at = Date.parse(committed_at)
      const readings = sourceNamed(source).parse(JSON.stringify(body), at)
      return readings.filter((reading) => reading.kind === 'quote').length
    })
    expect(sizes).toEqual(Array.from({ length: count }, () => pairs))
  })
})
