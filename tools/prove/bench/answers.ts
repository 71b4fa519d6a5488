/**
 * What an answer without a key costs when it is asked for again: processor time of the local service,
 * its KV and database included, which elsewhere are not the Worker's.
 */
import { addDays, argentineDay, SECOND_MS } from '../../../shared/argentine-time.ts'
import { until } from '../../support/until.ts'
import { processorMsOf } from '../harness/processor-time.ts'
import { type Service, startService } from '../harness/service.ts'
import { type Bench, type BenchOptions, type Figure, figure, rounded } from './bench.ts'

const TIMES = 50
/** What the free plan gives a request. */
const MOST_MS = 10
/** A current read, with which the others are compared, and every kind of answer without a key. */
const CURRENT = '/api/v2/usd/blue'
const PATHS = `
/ /tablero /?monto=1500&par=usd/blue /usd/blue /usd/blue?periodo=todo&comparar=usd/ccl,usd/bolsa
/usd/blue/grafico.json?todo=1 /usd/blue/diario.csv /usd/blue/DAY
/badge/usd/blue.svg /embed/usd/blue /brecha /brecha?periodo=todo&comparar=usd/blue,usd/ccl
/calendario /facturacion /estado /datos /datos.md /mudarse /docs /docs.md /docs/referencia
/docs/referencia.md /docs/webhooks /docs/planillas /llms.txt /llms-full.txt /openapi/quotes.json
/openapi/webhooks.json /openapi/extras.json /sitemap.xml /cuenta/entrar /nothing /api/v2/quotes
/api/v2/quotes?format=csv /api/v2/status /api/v2/date/DAY /api/v2/date/DAY/usd/blue
/api/v2/convert?amount=100&from=EUR&to=USD&origin=blue /api/v2/invoicing?date=DAY
/datos/archivos.json /datos/SHA256SUMS /datos/cotizaciones.csv /datos/cotizaciones.parquet
/v1/dolares
/v1/cotizaciones/dolares /v1/cotizaciones/dolares/blue /v1/cotizaciones/dolares/DAYPATH
/v1/cotizaciones/eur/DAYPATH /v2/evolution.json /v2/evolution.json?days=1000 /v2/evolution.csv
/v2/evolution.csv?days=1000 /v2/historical?day=DAY
`

export const answers: Bench = {
  name: 'answers',
  summary: 'processor time of every answer without a key that is asked for again',
  method:
    `the local service with the demo market's two years; ${TIMES} requests for each address that was ` +
    "asked for before, one after the other; workerd's processor time over them",
  run: benchAnswers,
}

async function benchAnswers({ progress }: BenchOptions): Promise<Figure[]> {
  await using service = await startService(['--demo'])
  progress('waiting for the nightly files')
  await until(() => service.get('/datos/archivos.json').then(({ ok }) => ok), {
    everyMs: SECOND_MS,
    atMostMs: 180 * SECOND_MS,
    failure: 'no nightly files',
  })
  const day = addDays(argentineDay(Date.now()), -30)
  const paths = PATHS.trim()
    .split(/\s+/)
    .map((path) => path.replace('DAYPATH', day.replaceAll('-', '/')).replace('DAY', day))

  const current = await costOf(service, CURRENT)
  const costs: number[] = []
  for (const path of paths) {
    const ms = await costOf(service, path)
    progress(`${path}: ${rounded(ms)} ms`)
    costs.push(ms)
  }
  const name = `the dearest of ${paths.length} answers, asked again`
  return [
    figure('a current read', rounded(current), 'ms'),
    figure(name, rounded(Math.max(...costs)), 'ms', { atMost: MOST_MS }),
  ]
}

/** Milliseconds of one request. Each comes from another address, for some are limited by it. */
async function costOf(service: Service, path: string): Promise<number> {
  const ask = async (number: number) => {
    const address = `10.1.${Math.floor(number / 250)}.${number % 250}`
    const response = await service.get(path, { headers: { 'CF-Connecting-IP': address } })
    await response.arrayBuffer()
    if (response.status >= 500) throw new Error(`${path} answered ${response.status}`)
  }
  for (let number = 0; number < 3; number++) await ask(number)

  const before = processorMsOf(service.workerdPid)
  for (let number = 0; number < TIMES; number++) await ask(number)
  return (processorMsOf(service.workerdPid) - before) / TIMES
}
