import { describe, expect, it } from 'vitest'
import { sourceNamed } from '../../workers/scraper/sources/index.ts'
import { expectedLines, linesOf } from '../support/documents.ts'
import { art } from '../support/instant.ts'
import { recording } from './recordings.ts'

/** After the newest recording. */
const now = art('2026-10-06 23:00')

/** Source, document and, where it matters, instant; then one reading per line, or the failure. */
const EXPECTED = `
# a3-dlr a3/closing-prices_2026-09-02.trimmed.json
2026-09 1509.5 1509.5 on 2026-09-02
2026-10 1536.5 1536.5 on 2026-09-02
2026-12 1619.5 1619.5 on 2026-09-02
2027-06 1802 1802 on 2026-09-02
# ambito-blue ambito/dolar_informal_variacion.json
USD/BLUE 1515 1535
# ambito-oficial ambito/dolar_oficial_variacion_2026-08-21.reconstructed.json
USD/OFICIAL 1466.86 1518.13
# ambito-futuro-contratos ambito/dolarfuturo_datos.reconstructed.json
2026-09 1508.5 1509.5
2026-10 1536 1537
# ambito-mep ambito/dolarrava_mep_variacion_2026-08-21.reconstructed.json
USD/BOLSA 1535.08 1535.08
# ambito-riesgo-jornada ambito/riesgopais_jornada_2026-05-11.json
ARG/RIESGO 510 510
# ambito-riesgo ambito/riesgopais_variacion-ultimo_2026-04-24.json
ARG/RIESGO 557 557
# ambito-blue ambito/dolar_informal_historico-general.json
format
# argentinadatos-riesgo argentinadatos/v1_finanzas_indices_riesgo-pais_ultimo.json
empty
# argentinadatos-riesgo argentinadatos/v1_finanzas_indices_riesgo-pais_ultimo.json 2026-02-22T12:00-03:00
ARG/RIESGO 519 519
# bcra-cotizaciones bcra/cotizaciones_2026-03-20.json
REF 2026-03-20 1393.438
EUR 2026-03-20 1607.418
EUR/USD 2026-03-20 1.156
BRL 2026-03-20 262.393146
CLP 2026-03-20 1.493186
UYU 2026-03-20 34.131075
# bcra-cotizaciones bcra/cotizaciones_no_business_day.reconstructed.json
# bcra-cotizaciones bcra/cotizaciones_usd_2026-09-23_25.trimmed.json
format
# bcra-cer bcra/monetarias_v4_30_cer_2026-10.trimmed.json
CER 2026-10-15 854.45861540882
CER 2026-10-14 853.97862664495
# bcra-uva bcra/monetarias_v4_31_uva.reconstructed.json
UVA 2026-08-22 2086.45
UVA 2026-07-09 2029.47
UVA 2026-07-08 2028.06
# bcra-cer bcra/monetarias_v4_40_icl_2026-10.trimmed.json
format
# belo belo/public_price.reconstructed.json
USD/CRIPTO 1564 1584
# bna-personas bna/Personas_2026-08-05.reconstructed.html
USD/BNA 1470 1520
EUR/BNA 1668.6 1764.68
BRL/BNA 285 300
USD/MAYORISTA 1484.5 1493.5
EUR/OFICIAL 1717.4675 1731.6002
wholesale 2026-08-05 1785942120000, 1 USD 1484.5 1493.5, 1 EUR 1717.4675 1731.6002
# bna-personas bna/snippet_2022.html
USD/BNA 175.25 183.25
EUR/BNA 183.75 192.75
BRL/BNA 31.2 35.2
missing #divisas
# bna-personas bna/snippet_2026-08-04.html
USD/BNA 1465 1515
missing EUR/BNA Euro
missing BRL/BNA Real *
missing #divisas date
# byma-bonds byma/public-bonds_2026-09-28.trimmed.json
AL30 83940 null null
AL30D 53.97 null null
# byma-bonds byma/public-bonds_full_record.reconstructed.json
AL30 83940 83870 83940
AL30D 53.97 53.96 53.97
AL30C 51.75 51.75 52.99
# byma-bonds byma/public-bonds_weekend.trimmed.json
empty
# comparadolar comparadolar/usdt.reconstructed.json
belo 1564 1584 total 1564 1584 at 1785959272000
fiwind 1565 1578 total 1563 1580 at 1785959274000
# criptoya-usdt criptoya/api_USDT_ARS.reconstructed.json
fiwind 1565 1578 total 1563 1580 at 1785959274000
belo 1564 1584 total 1564 1584 at 1785959272000
buenbit 1561.9 1588.1 total 1560 1590 at 1785959274000
binancep2p 1570 1580 total 1570 1580 at 1785959274000
huobip2p 1500 0 total 1500 0 at 1785959274000
mexcp2p 1201 0 total 1201 0 at 1785953274000
# criptoya-bancos criptoya/api_bancostodos_2026-08-05.trimmed.json
andina 1475 1525 total 1475 1525 at 1785978114000
bna 1470 1520 total 1470 1520 at 1785978117000
bapro 1375 1425 total 1375 1425 at 1772653219000
# criptoya-cer criptoya/api_cer.reconstructed.json
CER 2026-09-22 848.32
# criptoya-uva criptoya/api_uva.reconstructed.json
UVA 2026-09-22 2141.9
# criptoya-dolar criptoya/api_dolar_2024-09-14.json
empty
# criptoya-dolar criptoya/api_dolar_2024-09-14.json 2024-09-14T16:05-03:00
USD/BLUE 1235 1265
USD/BOLSA 1226.69 1226.69
USD/CCL 1250.72 1250.72
USD/CRIPTO 1254 1258.46
# criptoya-usdt criptoya/invalid_pair.txt
format
# data912-bonds data912/live_arg_bonds_2026-09-28.trimmed.json
AL30 83940 83870 83940
AL30C 51.75 51.75 52.99
AL30D 53.97 53.96 53.97
# data912-bonds data912/historical_unknown_ticker.json
format
# dolarapi-dolares dolarapi/v1_dolares.json
USD/BNA 1470 1520
USD/BLUE 1530 1550
USD/BOLSA 1531.7 1545.3
USD/CCL 1588.3 1589.7
USD/MAYORISTA 1490 1499
USD/CRIPTO 1582.1 1585.99
USD/TARJETA 1911 1976
# dolarapi-ambito dolarapi/v1_ambito_dolares.json
USD/OFICIAL 1466.86 1518.13
USD/BNA 1470 1520
# dolarapi-cotizaciones dolarapi/v1_cotizaciones.json
EUR/OFICIAL 1738.979 1753.2304
BRL/OFICIAL 291.5284 291.6966
CLP/OFICIAL 1.6378 1.6378
UYU/OFICIAL 37.2899 37.2901
# dolarapi-dolares dolarapi/v1_dolares_blue.json
format
# dolarapi-dolares dolarapi/v1_exchanges_argt_usd.json
empty
# dolarhoy dolarhoy/home_blue.trimmed.html
USD/BLUE 1385 1405
# iol-monedas iol/monedas.reconstructed.html
EUR/OFICIAL 1738.979 1753.2304
BRL/OFICIAL 291.5284 291.6966
CLP/OFICIAL 1.6378 1.6378
UYU/OFICIAL 37.2899 37.2901
# rava-riesgo rava/riesgo-pais_hoy.reconstructed.html
ARG/RIESGO 607 607
`

const documentAt = (file: string) => recording(`documents/${file}`)

describe('recorded documents', () => {
  it.each(expectedLines(EXPECTED))('$file by $source', ({ source, file, at = now, lines }) => {
    expect(linesOf(source, documentAt(file), at)).toEqual(lines)
  })

  it('give the whole tail of the UVA series', () => {
    const uva = documentAt('argentinadatos/v1_finanzas_indices_uva_tail_2026-07.json')
    const lines = linesOf('argentinadatos-uva', uva, now)
    expect(lines).toHaveLength(19)
    expect(lines.at(-1)).toBe('UVA 2026-07-13 2029.47')
  })

  it.each([
    ['dolarapi/dolares_2026-01_2026-02.jsonl', 'dolarapi-dolares', 7, 495],
    ['dolarapi/cotizaciones_2026-01_2026-02.jsonl', 'dolarapi-cotizaciones', 4, 270],
  ])('%s: every body quotes all pairs', (file, source, pairs, count) => {
    const lines = documentAt(file).trim().split('\n')
    const sizes = lines.map((text) => {
      const { committed_at, body } = JSON.parse(text) as { committed_at: string; body: unknown }
      const at = Date.parse(committed_at)
      const readings = sourceNamed(source).parse(JSON.stringify(body), at)
      return readings.filter((reading) => reading.kind === 'quote').length
    })
    expect(sizes).toEqual(Array.from({ length: count }, () => pairs))
  })
})
