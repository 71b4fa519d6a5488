import { Hono } from 'hono'
import { readFiles, type Manifest } from '../../shared/board/nightly-files.ts'
import type { SiteContext } from './context.ts'
import { GuidePage } from './reference/guide-page.tsx'
import { toMarkdown, code, type DocPage, heading, list, table } from './reference/page.ts'
import { formatArgentine } from '../../shared/argentine-time.ts'
import { numberText } from '../../shared/market/spanish-text.ts'

/** `/datos`, also as Markdown: the page that lists the files. The edge serves the files. */
export function nightlyFileRoutes() {
  return new Hono<SiteContext>().on('GET', ['/datos', '/datos.md'], async (c) => {
    const page = filesPage(c.var.origin, await readFiles(c.env.BOARD))
    c.header('Cache-Control', 'public, max-age=60')
    if (c.req.path === '/datos') return c.render(<GuidePage page={page} />)
    return c.body(toMarkdown(page), 200, { 'Content-Type': 'text/markdown; charset=utf-8' })
  })
}

const WHAT: Readonly<Record<string, string>> = {
  csv: 'CSV con encabezado, decimales con punto',
  parquet: 'Parquet: fechas y decimales exactos, comprimido',
}

/** The page of the open data: the files, how they are made, and their terms. */
function filesPage(origin: string, manifest: Manifest | null): DocPage {
  return {
    path: '/datos',
    title: 'Datos abiertos',
    summary: 'Todos los cierres diarios de todos los pares, para bajar y guardar.',
    blocks: [
      ...(manifest ? filesOf(manifest) : ['Los archivos todavía no están publicados.']),
      heading('Qué trae cada fila'),
      table(
        ['Columna', 'Qué es'],
        ['`date`', 'el día argentino'],
        ['`currency`, `origin`', 'el par, como en la API'],
        ['`buy`, `sell`', 'el último valor del día en pesos, o del índice'],
        ['`changed`', 'si el valor cambió ese día; si no, es el del cierre anterior'],
      ),
      'Hay una fila por par y por día corrido desde el primer valor que conoce este servicio: fines de semana y feriados llevan el último cierre.',
      heading('Cómo se usan'),
      code(
        'sh',
        `curl -O ${origin}/datos/cotizaciones.csv\ncurl -s ${origin}/datos/SHA256SUMS | sha256sum --check --ignore-missing\n\nduckdb -c "select * from '${origin}/datos/cotizaciones.parquet' where origin = 'BLUE'"`,
      ),
      list(
        'Cada archivo tiene `ETag` (su SHA-256) y responde 304 y pedidos por rango (`Range`).',
        'La lista para programas, con tamaño y SHA-256: [`/datos/archivos.json`](/datos/archivos.json).',
      ),
      heading('Cómo se hacen'),
      'Cada noche, minutos después de la medianoche argentina, y de nuevo si se corrige o importa historia, un programa lee el último valor de cada día y escribe los archivos. Un cierre es el último valor vigente del día según los controles de este servicio, no el de una fuente. Con los mismos datos, cada archivo tiene los mismos bytes.',
      heading('Licencia'),
      'La compilación se entrega bajo [CC0 1.0](https://creativecommons.org/publicdomain/zero/1.0/deed.es): se puede copiar, publicar y vender sin pedir permiso. Los valores salen de fuentes públicas que pueden tener sus propias condiciones, y son informativos. Se agradece nombrar el origen.',
    ],
  }
}

function filesOf({ files, firstDay, day, builtAt, mode }: Manifest) {
  const offered = files.filter(({ name }) => WHAT[endingOf(name)] !== undefined)
  const rows = numberText(offered[0]?.rows ?? 0)
  return [
    ...(mode === 'live' ? [] : ['**Valores simulados**: este servicio no usa fuentes reales.']),
    `Del ${firstDay} al ${day}, ${rows} filas. Hechos el ${formatArgentine(builtAt).slice(0, 16).replace('T', ' a las ')}.`,
    table(
      ['Archivo', 'Qué es', 'Bytes', 'SHA-256'],
      ...offered.map(({ name, bytes, sha256 }) => [
        `[${name}](/datos/${name})`,
        WHAT[endingOf(name)]!,
        numberText(bytes),
        `\`${sha256}\``,
      ]),
    ),
  ]
}

function endingOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}
