// Sends each change from the stream to a Telegram chat. Needs no server of your own and no key.
//   BASE_URL=https://… PAIRS=usd/blue,usd/bolsa TELEGRAM_TOKEN=… TELEGRAM_CHAT=… node alert.mjs
import { createClient } from 'cotizaciones'

const { BASE_URL, PAIRS = 'usd/blue', TELEGRAM_TOKEN, TELEGRAM_CHAT } = process.env
const TELEGRAM = process.env.TELEGRAM_API ?? 'https://api.telegram.org'
const pesos = new Intl.NumberFormat('es-AR', { style: 'currency', currency: 'ARS' })
const known = new Map()

for await (const quote of createClient({ baseUrl: BASE_URL }).stream({ pairs: PAIRS.split(',') })) {
  const before = known.get(quote.name)
  known.set(quote.name, quote.sell)
  if (before === undefined || before === quote.sell) continue // the first value is no news

  const arrow = quote.sell > before ? '▲' : '▼'
  const text = `${arrow} ${quote.name}: ${pesos.format(quote.sell)} (antes ${pesos.format(before)})`
  const response = await fetch(`${TELEGRAM}/bot${TELEGRAM_TOKEN}/sendMessage`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ chat_id: TELEGRAM_CHAT, text }),
  })
  if (!response.ok) console.error(`Telegram answered ${response.status}`)
}
