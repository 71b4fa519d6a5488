import { expect, it } from 'vitest'
import { seedFiles } from '../support/nightly-files.ts'
import { art } from '../support/instant.ts'
import { openSite } from '../support/site.ts'

const NIGHT = art('2026-03-03 00:10')

const read = async (path: string) => (await openSite().fetch(path)).text()

it('/datos lists each file with size and SHA-256, its first and last day, and the licence; also as Markdown', async () => {
  await seedFiles(NIGHT, 'live')
  const page = await read('/datos')
  for (const ending of ['csv', 'parquet'])
    expect(page).toContain(`href="/datos/cotizaciones.${ending}"`)
  expect(page.match(/<code>[0-9a-f]{64}<\/code>/g)).toHaveLength(2)
  expect(page).toContain('Del 2026-02-28 al 2026-03-02, 3 filas. Hechos el 2026-03-03 a las 00:10.')
  expect(page).toContain('CC0 1.0')
  expect(page).toContain('<a href="/datos/archivos.json"><code>/datos/archivos.json</code></a>')
  expect(page).not.toContain('simulados')
  expect(page).not.toContain('compatibility/')
  expect(await read('/datos.md')).toContain('[cotizaciones.csv](/datos/cotizaciones.csv)')
})

it('/datos says that values are simulated where they are', async () => {
  await seedFiles(NIGHT, 'demo')
  expect(await read('/datos')).toContain('Valores simulados')
})

it('before the first night /datos says that there is nothing yet', async () => {
  const response = await openSite().fetch('/datos')
  expect(response.status).toBe(200)
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=60')
  expect(await response.text()).toContain('todavía no están publicados')
})

it('/mudarse says whether the compatibility addresses answer', async () => {
  const on = await (await openSite({ env: { COMPATIBILITY: 'on' } }).fetch('/mudarse')).text()
  const off = await (await openSite({ env: { COMPATIBILITY: 'off' } }).fetch('/mudarse')).text()
  expect(on).toContain('responden acá con las mismas claves')
  expect(off).toContain('están apagadas')
  for (const page of [on, off]) expect(page).toContain('https://cotizaciones.test/v2/latest')
})
