import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildPythonClient } from '../../../tools/maintain/client/build.ts'
import { openScratch } from '../../../tools/support/scratch.ts'

const scratch = openScratch()
beforeAll(() => buildPythonClient(scratch.file('package')))
afterAll(() => scratch[Symbol.dispose]())

/** The output of a program with these lines, with the built package on its path. */
function run([command, ...args]: readonly string[], lines: string) {
  writeFileSync(scratch.file('use.py'), lines)
  const path = scratch.file('package')
  const env = { ...process.env, PYTHONPATH: path, MYPYPATH: path, PYTHONDONTWRITEBYTECODE: '1' }
  const options = { cwd: scratch.path, env, encoding: 'utf8' } as const
  return spawnSync(command!, [...args, 'use.py'], options).stdout
}
const here = (names: readonly string[]) =>
  names.filter((name) => spawnSync(name, ['--version']).status === 0)

it.each(here(['python3']))('%s has a class for each form of an answer', (python) => {
  const names = ['CurrentQuote', 'Conversion', '_Series', 'StatusPairs', 'AlertDeliveryPage']
  const fields = names.map((name) => `sorted(types.${name}.__annotations__)`)
  const printed = run([python], `from cotizaciones import types; print([${fields.join()}])`)
  expect(JSON.parse(printed.replaceAll("'", '"'))).toEqual([
    expect.arrayContaining(['buy', 'change', 'lastScrapedAt', 'sell']),
    expect.arrayContaining(['amount', 'from', 'legs', 'to']),
    ['summary'],
    expect.arrayContaining(['fresh', 'held']),
    ['deliveries', 'nextCursor'],
  ])
})

it.each(here(['mypy']))('%s --strict finds a mistyped field of each answer', (mypy) => {
  const right = [
    'from cotizaciones import ApiError, Client, CotizacionesError, verify_webhook',
    'from cotizaciones.types import Quote',
    'client = Client("https://cotizaciones.example", "cot_key")',
    'quotes: list[Quote] = client.quotes()',
    'for quote in client.stream(["usd/blue"]): print(quote["sell"], quote["change"])',
    'made = client.webhooks.create("usd", "blue", url="https://example.com")',
    'if not made["reconciled"]: print(made["secret"])',
    'event = verify_webhook(b"", {}, "")',
    'if event and event["event"] == "rate.updated": print(event["prevSell"])',
  ]
  const wrong = [
    'client.quote("usd", "blue")["sel"]',
    'client.quotes_as_of("2026-01-01")[0]["sel"]',
    'client.history("usd", "blue")[0]["sel"]',
    'client.candles("usd", "blue")["points"][0]["sel"]',
    'client.status()["pairs"][0]["sel"]',
    'client.convert(1, "usd", "ars")["legs"][0]["sel"]',
    'client.series(["usd/blue"])["sel"]',
    'client.invoicing("usd")["sel"]',
    'client.webhooks.get("id")["webhook"]["sel"]',
    'client.webhooks.deliveries()["deliveries"][0]["sel"]',
    'client.alerts.list()["alerts"][0]["sel"]',
  ]
  const printed = run([mypy, '--strict', '--no-incremental'], [...right, ...wrong, ''].join('\n'))
  const lines = [...printed.matchAll(/^use\.py:(\d+): error: .* has no key "sel"/gm)]
  expect(lines.map(([, line]) => Number(line))).toEqual(
    wrong.map((_, index) => right.length + index + 1),
  )
  expect(printed).toContain(`Found ${wrong.length} errors in 1 file`)
})
