import type { Upstream } from '../upstream.ts'

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
