// Makes the service post each change of a pair to a Discord channel, in Discord's own format.
// In Discord: channel settings, Integrations, Webhooks, Copy URL.
//   BASE_URL=https://… API_KEY=cot_… DISCORD_URL=https://discord.com/api/webhooks/… node follow.mjs usd blue
import { createClient } from 'cotizaciones'

const { BASE_URL, API_KEY, DISCORD_URL } = process.env
const [currency = 'usd', origin = 'blue'] = process.argv.slice(2)
const client = createClient({ baseUrl: BASE_URL, apiKey: API_KEY })

const { webhook } = await client.webhooks.create({
  url: DISCORD_URL,
  currency: currency.toUpperCase(),
  origin: origin.toUpperCase(),
})
const test = await client.webhooks.test(webhook.id)
console.log(`${webhook.currency}/${webhook.origin} to ${webhook.destination}, test ${test.status}`)
