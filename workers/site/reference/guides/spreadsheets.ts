import type { Deployment } from '../../../../shared/api/operation.ts'
import { type Block, code, type DocPage, heading, list } from '../page.ts'
import { numberText } from '../../../../shared/market/spanish-text.ts'

/** Reads for a spreadsheet: a number for a cell, a table as CSV, a date, many dates. */
export function spreadsheetsGuide({ origin, dateReads }: Deployment): DocPage {
  return {
    path: '/docs/planillas',
    title: 'Cotizaciones en una planilla',
    summary: 'Fórmulas para Google Sheets, Excel y LibreOffice, sin clave ni programas.',
    blocks: [
      heading('Un número, una celda'),
      '`format=value` responde un número y nada más; `field` es `sell` (si falta) o `buy`. Con `locale=es-AR` lleva coma decimal.',
      code('text', `${origin}/api/v2/usd/blue?format=value&field=sell`),
      ...googleSheets(origin),
      ...libreOffice(origin),
      ...excel(origin),
      heading('Cuántas consultas'),
      `Las lecturas de ahora no tienen límite propio y cambian cada 5 minutos. Hay un límite de ${numberText(dateReads)} consultas por fecha cada 10 segundos por IP, y Google pide desde direcciones que comparten muchas planillas: para muchas fechas usá la función, el archivo de un par o los [datos abiertos](/datos), que no tienen límite.`,
      heading('Qué columnas vienen'),
      'Una lista de ahora; un par agrega su variación:',
      code(
        'csv',
        'currency,name,origin,buy,sell,updatedAt,lastScrapedAt,valueType\ncurrency,name,origin,buy,sell,updatedAt,lastScrapedAt,valueType,changeAmount,changePercent,referenceValue',
      ),
      'Una fecha; un par que todavía no cotizaba tiene `buy` y `sell` vacíos:',
      code(
        'csv',
        'requestedAt,currency,name,origin,buy,sell,valueType,quotedAt,sameDay,daysStale,ageSeconds',
      ),
    ],
  }
}

function googleSheets(origin: string): Block[] {
  return [
    heading('Google Sheets'),
    'El valor de ahora, y todos los pares con su encabezado:',
    code(
      'text',
      `=IMPORTDATA("${origin}/api/v2/usd/blue?format=value"; ","; "en_US")\n=IMPORTDATA("${origin}/api/v2/quotes?format=csv"; ","; "en_US")`,
    ),
    'La venta al final de un día, con la fecha en `A2` (la sexta columna de la segunda fila):',
    code(
      'text',
      `=INDEX(IMPORTDATA("${origin}/api/v2/date/" & TEXT(A2; "yyyy-mm-dd") & "/usd/blue?format=csv"; ","; "en_US"); 2; 6)`,
    ),
    'El [tipo de cambio de una factura](/facturacion) emitida el día de `A2`, en pesos por las unidades de la tabla del banco:',
    code(
      'text',
      `=IMPORTDATA("${origin}/api/v2/invoicing/usd?format=value&date=" & TEXT(A2; "yyyy-mm-dd"); ","; "en_US")`,
    ),
    'Los cierres de un par desde su primer día; un día sin cambios no tiene fila:',
    code('text', `=IMPORTDATA("${origin}/usd/blue/diario.csv"; ","; "en_US")`),
    list(
      'El `en_US` del final hace que el punto se lea como coma decimal también con la planilla en castellano.',
      'El día termina a la medianoche argentina: elegí la zona horaria de Buenos Aires en la configuración de la planilla.',
      'Para una hora, agregá `&time=15:00` a una fecha.',
    ),
    heading('Una función propia: =COTIZACION', 3),
    'Para muchas celdas o muchas fechas: en Extensiones, Apps Script, pegá [COTIZACION.gs](/static/ejemplos/COTIZACION.gs.txt) y poné la dirección de este servicio en `BASE`. Hace un pedido por par para todas las fechas, y los guarda. Una celda con un error lo dice ella sola. El archivo trae también `FACTURACION`.',
    code(
      'text',
      '=COTIZACION("USD"; "BLUE")\n=COTIZACION("USD"; "BLUE"; A2)\n=COTIZACION("USD"; "BLUE"; A2:A400; "compra")\n=COTIZACION(A2:A20; B2:B20)\n=FACTURACION("USD"; A2)',
    ),
  ]
}

/** Matches the sixth field of the second line of a CSV as the second group. */
const SELL_OF_SECOND_ROW = String.raw`"[\s\S]*\n([^,]*,){5}([^,]*),[\s\S]*"`

/** All these formulas except the one for invoices were tried in LibreOffice 7.4. */
function libreOffice(origin: string): Block[] {
  return [
    heading('LibreOffice'),
    'El valor de ahora, con la planilla en el idioma que esté:',
    code('text', `=NUMBERVALUE(WEBSERVICE("${origin}/api/v2/usd/blue?format=value"); ".")`),
    'La venta al final de un día, con la fecha en `A2`:',
    code(
      'text',
      `=NUMBERVALUE(REGEX(WEBSERVICE("${origin}/api/v2/date/" & TEXT(A2; "yyyy-mm-dd") & "/usd/blue?format=csv"); ${SELL_OF_SECOND_ROW}; "$2"); ".")`,
    ),
    'El tipo de cambio de una factura del día de `A2`:',
    code(
      'text',
      `=NUMBERVALUE(WEBSERVICE("${origin}/api/v2/invoicing/usd?format=value&date=" & TEXT(A2; "yyyy-mm-dd")); ".")`,
    ),
    `Para una tabla que se actualiza: Hoja, Vínculo a datos externos, y la dirección \`${origin}/api/v2/quotes?format=csv\` (separada por comas, idioma inglés).`,
    'Los nombres son los ingleses: en Herramientas, Opciones, LibreOffice Calc, Fórmula se elige usarlos también en castellano.',
  ]
}

function excel(origin: string): Block[] {
  return [
    heading('Excel'),
    'En Excel para Windows, `SERVICIOWEB` (`WEBSERVICE` en inglés) trae el número. Con una fecha en `A2`, `DIVIDIRTEXTO` (Microsoft 365) separa la tabla; la tercera fórmula es el tipo de cambio de una factura de ese día:',
    code(
      'text',
      `=VALOR.NUMERO(SERVICIOWEB("${origin}/api/v2/usd/blue?format=value"); ".")\n=VALOR.NUMERO(INDICE(DIVIDIRTEXTO(SERVICIOWEB("${origin}/api/v2/date/" & TEXTO(A2; "aaaa-mm-dd") & "/usd/blue?format=csv"); ","; CARACTER(13) & CARACTER(10)); 2; 6); ".")\n=VALOR.NUMERO(SERVICIOWEB("${origin}/api/v2/invoicing/usd?format=value&date=" & TEXTO(A2; "aaaa-mm-dd")); ".")`,
    ),
    'Para tablas que se actualizan, en Excel o Power BI, pegá en el editor avanzado de Power Query [cotizaciones.pq](/static/ejemplos/cotizaciones.pq.txt) (los valores de ahora) o [cierres.pq](/static/ejemplos/cierres.pq.txt) (todos los cierres diarios) y cambiá `Base`. Dentro de Excel o de Power BI no se probaron.',
  ]
}
