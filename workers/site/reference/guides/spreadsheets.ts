import { type Terms, thousands } from '../limits.ts'
import { code, type DocPage, heading, list, text } from '../page.ts'

/** What works in a spreadsheet: date reads as CSV, current reads as JSON. */
export function spreadsheetsGuide({ origin, dateReads }: Terms): DocPage {
  const asOf = `${origin}/api/v2/date`

  return {
    path: '/docs/planillas',
    title: 'Cotizaciones en una planilla',
    summary: 'Fórmulas para Google Sheets, Excel y LibreOffice, sin clave ni programas.',
    blocks: [
      text(
        'Las consultas por fecha responden CSV con `format=csv`, que es lo que entienden las planillas. Las lecturas actuales son JSON: para el valor de ahora, consultá la fecha de hoy.',
      ),
      heading('Google Sheets'),
      text('La tabla completa de un par en una fecha, con encabezado:'),
      code('text', `=IMPORTDATA("${asOf}/2026-03-02/usd/blue?format=csv")`),
      text('Solo la venta (la sexta columna de la segunda fila), con la fecha en `A2`:'),
      code(
        'text',
        `=INDEX(IMPORTDATA("${asOf}/" & TEXT(A2; "yyyy-mm-dd") & "/usd/blue?format=csv"; ","; "en_US"); 2; 6)`,
      ),
      text('El valor vigente ahora:'),
      code(
        'text',
        `=INDEX(IMPORTDATA("${asOf}/" & TEXT(TODAY(); "yyyy-mm-dd") & "/usd/blue?format=csv"; ","; "en_US"); 2; 6)`,
      ),
      text('Todos los pares de una fecha, o los de una moneda:'),
      code(
        'text',
        `=IMPORTDATA("${asOf}/2026-03-02?format=csv"; ","; "en_US")\n=IMPORTDATA("${asOf}/2026-03-02/usd?format=csv"; ","; "en_US")`,
      ),
      list(
        'El `en_US` del final hace que el punto se lea como coma decimal también con la planilla en castellano.',
        'El día termina a la medianoche argentina: elegí la zona horaria de Buenos Aires en la configuración de la planilla.',
        'Para una hora, agregá `&time=15:00`.',
      ),
      heading('Excel'),
      text(
        'En Excel para Windows, `SERVICIOWEB` (`WEBSERVICE` en inglés) trae el texto y `DIVIDIRTEXTO` lo separa en Microsoft 365:',
      ),
      code(
        'text',
        `=VALOR.NUMERO(INDICE(DIVIDIRTEXTO(SERVICIOWEB("${asOf}/" & TEXTO(A2; "aaaa-mm-dd") & "/usd/blue?format=csv"); ","; CARACTER(13) & CARACTER(10)); 2; 6); ".")`,
      ),
      text(
        `Para una tabla que se actualiza: Datos, Desde la web, y la dirección \`${asOf}/2026-03-02?format=csv\`.`,
      ),
      heading('LibreOffice'),
      code('text', `=WEBSERVICE("${asOf}/2026-03-02/usd/blue?format=csv")`),
      heading('Cuántas consultas'),
      text(
        `Hay un límite de ${thousands(dateReads)} consultas por fecha cada 10 segundos por IP. Para muchas fechas, pedí todos los pares del día en una sola fórmula y buscá adentro, en lugar de una fórmula por celda. Una celda con error suele ser ese límite: probá de nuevo a los 10 segundos.`,
      ),
      heading('Qué columnas vienen'),
      code(
        'csv',
        'requestedAt,currency,name,origin,buy,sell,valueType,quotedAt,sameDay,daysStale,ageSeconds',
      ),
      text('Un par que todavía no cotizaba tiene `buy` y `sell` vacíos.'),
    ],
  }
}
