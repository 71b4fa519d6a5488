import { PAIRS } from '../../../shared/market/catalog.ts'
import type { Findings } from '../harness/findings.ts'

/** Log lines of the runtime itself about requests that are not HTTP. */
const OF_RUNTIME = /Invalid URL string|does not export a connect|Received a connect event/

interface Quote {
  currency: string
  origin: string
  sell: number
  lastScrapedAt: string
}

export async function checkReads(url: string, findings: Findings): Promise<void> {
  const list = await read<Quote[]>('/api/v2/quotes')
  if (list?.length !== PAIRS.length) findings.add('afterwards: quotes are missing', () => url)

  for (const { currency, origin } of PAIRS) {
    const path = `/${currency}/${origin}`.toLowerCase()
    const quote = await read<Quote>(`/api/v2${path}`)
    const legacy = await read<{ venta: number }>(`/api${path}`)
    const isRight =
      quote?.currency === currency &&
      quote.origin === origin &&
      quote.sell > 0 &&
      legacy?.venta === quote.sell
    if (!isRight) findings.add(`afterwards: ${path} is not right`, () => JSON.stringify(quote))
  }

  async function read<Body>(path: string): Promise<Body | null> {
    const response = await fetch(url + path)
    return response.ok ? ((await response.json()) as Body) : null
  }
}

export function checkLog(log: string, secrets: readonly string[], findings: Findings): void {
  for (const line of log.split('\n')) {
    if (/unexpected_error|ncaught|Error:|^\s+at /.test(line) && !OF_RUNTIME.test(line))
      findings.add(`the log: ${line.slice(0, 120)}`, () => line.slice(0, 500))
  }
  const leaked = secrets.find((secret) => log.includes(secret))
  if (leaked !== undefined) findings.add('the log holds a secret', () => leaked.slice(0, 12))
}
