import { addDays, type Day } from '../../../../shared/argentine-time.ts'
import { jsonUpstream, type Upstream } from '../upstream.ts'
import { bankDaysFrom, cut } from '../writing.ts'

/** Closing PTAX of a range that the query names, oldest first. */
export const bcb = jsonUpstream(
  'olinda.bcb.gov.br',
  ({ pathname, searchParams }, { lastClose, on }) => {
    if (!pathname.startsWith('/olinda/servico/PTAX/versao/v1/odata/CotacaoMoedaPeriodo('))
      return null

    const from = dayOf(searchParams.get('@dataInicial')) ?? addDays(lastClose, -5)
    const to = dayOf(searchParams.get('@dataFinalCotacao')) ?? lastClose
    return {
      value: bankDaysFrom(from, to < lastClose ? to : lastClose).map((day) => {
        const { brlPerUsd } = on(day)
        return {
          paridadeCompra: 1,
          paridadeVenda: 1,
          cotacaoCompra: cut(brlPerUsd - 0.0006, 5),
          cotacaoVenda: cut(brlPerUsd, 5),
          dataHoraCotacao: `${day} 13:09:26.433`,
          tipoBoletim: 'Fechamento',
        }
      }),
    }
  },
)

/** The day of `'MM-DD-YYYY'`. */
function dayOf(text: string | null): Day | null {
  const [, rest, year] = /^'(\d\d-\d\d)-(\d{4})'$/.exec(text ?? '') ?? []
  return year === undefined ? null : `${year}-${rest}`
}

/** SOAP: one rate of the last close for each of the two codes that are asked. */
export const bcu: Upstream = {
  host: 'cotizaciones.bcu.gub.uy',
  contentType: 'text/xml; charset=utf-8',
  answer({ pathname }, { lastClose, uyuPerUsd, clpPerUsd }) {
    if (pathname !== '/wscotizaciones/servlet/awsbcucotizaciones') return null

    const rate = (code: string, name: string, pesos: number, perDollar: number) => `
<datoscotizaciones.dato xmlns="Cotiza"><Fecha>${lastClose}</Fecha><Moneda>${code}</Moneda><Nombre>${name}</Nombre><TCC>${pesos.toFixed(6)}</TCC><TCV>${pesos.toFixed(6)}</TCV><ArbAct>${perDollar.toFixed(6)}</ArbAct><FormaArbitrar>0</FormaArbitrar></datoscotizaciones.dato>`

    return `<?xml version="1.0" encoding="utf-8"?>
<SOAP-ENV:Envelope xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/"><SOAP-ENV:Body><wsbcucotizaciones.ExecuteResponse xmlns="Cotiza"><Salida xmlns="Cotiza">
<respuestastatus><status>1</status><codigoerror>0</codigoerror><mensaje/></respuestastatus>
<datoscotizaciones>${rate('2225', 'DLS. USA BILLETE', uyuPerUsd, 1)}${rate('1300', 'PESO CHILENO', uyuPerUsd / clpPerUsd, clpPerUsd)}
</datoscotizaciones></Salida></wsbcucotizaciones.ExecuteResponse></SOAP-ENV:Body></SOAP-ENV:Envelope>`
  },
}

/** The last days, or a year; newest first. Times are Chilean midnights. */
export const mindicador = jsonUpstream('mindicador.cl', ({ pathname }, { lastClose, on }) => {
  const [, year] = /^\/api\/dolar(?:\/(\d{4}))?$/.exec(pathname) ?? [pathname]
  if (pathname !== '/api/dolar' && year === undefined) return null

  const from = year === undefined ? addDays(lastClose, -10) : `${year}-01-01`
  const yearEnd = `${year}-12-31`
  const to = year === undefined || yearEnd > lastClose ? lastClose : yearEnd
  return {
    version: '1.7.0',
    autor: 'mindicador.cl',
    codigo: 'dolar',
    nombre: 'Dólar observado',
    unidad_medida: 'Pesos',
    serie: bankDaysFrom(from, to)
      .toReversed()
      .map((day) => ({ fecha: `${day}T03:00:00.000Z`, valor: cut(on(day).clpPerUsd) })),
  }
})
