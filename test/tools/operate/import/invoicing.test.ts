import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readInvoicing, invoicingStatements } from '../../../../shared/db/quotes/invoicing.ts'
import { outputOf, runAdmin } from '../../../support/admin.ts'
import { env } from '../../../support/env.ts'
import { art } from '../../../support/instant.ts'

const NOW = art('2026-03-02 12:00')

const file = join(mkdtempSync('/tmp/rates-'), 'rates.csv')

/** Everything that an import of a file prints, and its error. */
async function run(text: string, ...flags: string[]): Promise<string> {
  writeFileSync(file, text)
  return outputOf({ db: env.DB, kv: env.BOARD }, 'import', file, ...flags)
}

const sellOf = async (currency: string, date: string) =>
  (await readInvoicing(env.DB, [currency], date, NOW)).rates[0]?.sell ?? null

/** The selling rate, source and hour of three rates of 2 January 2024. */
const known = async () =>
  (await readInvoicing(env.DB, ['USD', 'EUR', 'GBP'], '2024-01-03', NOW)).rates.map((rate) => [
    rate!.sell,
    rate!.source,
    rate!.publishedAt,
  ])

/** The bank's page of 2 January 2024 at an hour, with three rates. */
async function publish(hour: string, sell: string): Promise<void> {
  const publishedAt = art(`2024-01-02 ${hour}`)
  const rates = [
    { currency: 'USD', units: 1, buy: '800', sell },
    { currency: 'EUR', units: 1, buy: '887.7951', sell: '891.2904' },
    { currency: 'GBP', units: 1, buy: '1000', sell: '1010' },
  ]
  const table = { day: '2024-01-02', publishedAt, source: 'bna-divisas', rates }
  await env.DB.batch(invoicingStatements(env.DB, table, publishedAt))
}

const FILE = `date,currency,buy,sell
2024-01-02,USD,806.5000,808.5
2024-01-02,EUR,887.7951,891.2904
2024-01-03,usd,807.00,809
`

it('imports rates of days, each for invoices of the days after; a second import changes nothing', async () => {
  const told = `${file}: 3 invoicing rates of 2 days`
  expect(await run(FILE, '--dry-run')).toBe(`${told} would be taken in`)
  expect(await sellOf('USD', '2024-01-03')).toBe(null)
  for (const round of [1, 2]) {
    expect(await run(FILE), `${round}`).toBe(told)
    expect(await sellOf('USD', '2024-01-02')).toBe(null)
    expect(await sellOf('USD', '2024-01-03')).toBe('808.5')
    expect(await sellOf('EUR', '2024-01-04')).toBe('891.2904')
  }
})

it('replaces rates of the bank’s page, in either sequence; only the page’s own rates have its time', async () => {
  const [three, five] = [art('2024-01-02 15:00'), art('2024-01-02 17:00')]
  await publish('15:00', '805')
  await run(FILE)
  expect(await known()).toEqual([
    ['808.5', 'import', null],
    ['891.2904', 'bna-divisas', three],
    ['1010', 'bna-divisas', three],
  ])

  await publish('17:00', '806')
  expect(await known()).toMatchObject([
    ['806', 'bna-divisas', five],
    ['891.2904', 'bna-divisas', five],
    ['1010', 'bna-divisas', five],
  ])
})

it('lists replaced rates as a file that restores them', async () => {
  await publish('15:00', '805')
  await run(FILE)
  await run('date,currency,buy,sell\n2024-01-02,USD,700,710\n')

  const listed = await runAdmin({ db: env.DB, kv: env.BOARD }, 'invoicing')
  expect(listed).toEqual([
    'date,currency,buy,sell,units,source,replaced',
    '2024-01-02,USD,806.5,808.5,1,import,2026-03-02T12:00:00.000-03:00',
    '2024-01-02,USD,800,805,1,bna-divisas,2026-03-02T12:00:00.000-03:00',
  ])
  await run([listed[0], listed[2]].join('\n'))
  expect(await sellOf('USD', '2024-01-03')).toBe('805')
})

it('takes prices for a hundred units when the file says so', async () => {
  await run('date,currency,buy,sell,units\n2024-01-02,JPY,565.1,568.2,100\n')
  const { rates } = await readInvoicing(env.DB, ['JPY'], '2024-01-03', NOW)
  expect(rates[0]).toMatchObject({ units: 100, sell: '568.2' })
})

it.each([
  ['2024-02-30,USD,1,1.1,1', 'not a date'],
  ['2026-03-03,USD,1,1.1,1', 'a day to come'],
  ['2024-01-02,ARS,1,1.1,1', 'not a currency of the table'],
  ['2024-01-02,USD,"1,5",2,1', 'not a price'],
  ['2024-01-02,JPY,565.1,568.2,10', 'units are neither 1 nor 100'],
  ['2024-01-02,EUR,1,1.1,1', 'a second time'],
  ['2024-01-02,USD,0,0,1', 'not a buy and its sell'],
  ['2024-01-02,USD,2,1,1', 'not a buy and its sell'],
  ['2024-01-02,USD,1,2,1', 'not a buy and its sell'],
])('leaves out %s: %s', async (row, reason) => {
  const told = await run(`date,currency,buy,sell,units\n2024-01-02,EUR,1,1.1,1\n${row}\n`)
  expect(told).toContain(`left out: 1 × ${reason} (row 3)\nerror: 1 row(s) left out`)
})
