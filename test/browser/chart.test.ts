import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { DAY_MS } from '../../shared/argentine-time.ts'
import { PHONE } from '../../tools/prove/harness/browser.ts'
import { expectGoodLooks } from './support/looks.ts'
import { describeInBrowser, DESKTOP, layoutShift } from './support/in-browser.ts'

describeInBrowser('the chart', [], {}, (demo) => {
  it('loads when it scrolls into view, for every period, with other pairs beside it', async () => {
    const page = await demo.open({ viewport: { width: 390, height: 420 } })
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto('/usd/blue', { waitUntil: 'networkidle' })
    expect(asked.filter((path) => /part-|grafico/.test(path))).toEqual([])
    await page.locator('.chart').scrollIntoViewIfNeeded()
    await page.locator('.chart canvas').waitFor()
    expect(asked.filter((path) => path.includes('part-'))).not.toEqual([])

    for (const name of ['1 semana', '1 mes', '1 año', 'Todo']) {
      await page.getByRole('radio', { name }).check({ force: true })
      await expect.poll(() => painted(page), { message: name }).toBeGreaterThan(50)
    }
    await page.getByRole('checkbox', { name: 'Dólar CCL' }).check({ force: true })
    await page.locator('.chart-part', { hasText: 'Dólar CCL' }).waitFor()
    expect(asked).toContain('/usd/ccl/grafico.json')

    await page.locator('.u-over').scrollIntoViewIfNeeded()
    const box = (await page.locator('.u-over').boundingBox())!
    await page.mouse.move(box.x + box.width - 3, box.y + 40)
    await page.locator('[data-values]', { hasText: /\d+\/\d+\/\d{4}/ }).waitFor()
    await page.locator('[data-values]', { hasText: /Dólar Blue \$\s[\d.]+,\d\d/ }).waitFor()
    await page.mouse.move(0, 0)
    expect(await layoutShift(page)).toBeLessThan(0.01)
    await page.setViewportSize(DESKTOP)
    await expectGoodLooks(page, 'par')
  })

  it('measures the last day from yesterday’s close, like the rest of the page', async () => {
    const page = await demo.open()
    await page.goto('/usd/cripto?periodo=dia')
    await page.locator('[data-values]', { hasText: 'Último día' }).waitFor()
    const said = (await page.locator('[data-values]').textContent())!.replaceAll('\u00a0', ' ')
    const change = (await page.locator('.headline .change').innerText()).replaceAll('\u00a0', ' ')
    const percent = /[+−]?\d+,\d\d %/.exec(change)![0]
    expect(said).toContain(`(${percent})`)
  })

  it('keeps what was chosen in the address, which brings it back, and draws candles of one pair', async () => {
    const page = await demo.open()
    await page.goto('/usd/blue?dibujo=velas')
    await expect.poll(() => painted(page, '--up')).toBeGreaterThan(100)
    await page.getByRole('radio', { name: '1 año' }).check({ force: true })
    await page.getByRole('checkbox', { name: 'Dólar CCL' }).check({ force: true })
    await expect.poll(() => search(page)).toBe('?periodo=anio&dibujo=velas&comparar=usd/ccl')

    await page.reload()
    await page.locator('[data-values]', { hasText: 'Último año' }).waitFor()
    await page.locator('.chart-part', { hasText: 'Dólar CCL' }).waitFor()
    await expect.poll(() => painted(page, '--down')).toBe(0)
    await page.getByRole('radio', { name: '1 mes' }).check({ force: true })
    await page.getByRole('checkbox', { name: 'Dólar CCL' }).uncheck({ force: true })
    await page.getByRole('checkbox', { name: 'Velas' }).uncheck()
    await expect.poll(() => search(page)).toBe('')
  })

  it('has a gap where data is missing', async () => {
    const page = await demo.open()
    const today = Date.now() / DAY_MS
    await page.route('**/usd/ccl/grafico.json*', async (route) => {
      const response = await route.fetch()
      const { closes, ...others } = (await response.json()) as { closes: [day: number][] }
      const kept = closes.filter(([day]) => day < today - 130 || day > today - 90)
      await route.fulfill({ response, json: { ...others, closes: kept } })
    })
    await page.goto('/usd/ccl?periodo=anio')
    await page.locator('.chart canvas').waitFor()
    // Forty days of a year, on a plot a little narrower than the canvas.
    await expect.poll(() => widestHole(page)).toBeGreaterThan(0.08)
    await page.goto('/usd/blue?periodo=anio')
    await page.locator('.chart canvas').waitFor()
    await expect.poll(() => widestHole(page)).toBeLessThan(0.01)
  })

  it('is also offered as a table, as CSV and as PNG', async () => {
    const page = await demo.open()
    await page.goto('/usd/blue?comparar=usd/bna')
    await page.locator('.chart canvas').waitFor()
    await page.getByText('Ver los datos como tabla').click()
    const table = page.locator('[data-table]')
    await table.locator('tbody tr').nth(28).waitFor()
    expect(await table.locator('thead th').allTextContents()).toEqual([
      'Fecha',
      'Dólar Blue',
      'Dólar Banco Nación',
    ])

    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Guardar CSV' }).click(),
    ])
    expect(csv.suggestedFilename()).toBe('usd-blue-mes.csv')
    const lines = readFileSync(await csv.path(), 'utf8')
      .trimEnd()
      .split('\r\n')
    expect(lines[0]).toBe('\ufefffecha,"Dólar Blue","Dólar Banco Nación"')
    expect(lines[1]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-03:00,[\d.]+,[\d.]+$/)

    const [png] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Guardar PNG' }).click(),
    ])
    expect(png.suggestedFilename()).toBe('usd-blue-mes.png')
    const picture = readFileSync(await png.path())
    expect(picture.subarray(1, 4).toString()).toBe('PNG')
    expect(picture.readUInt32BE(16)).toBeGreaterThan(600)
    await expectGoodLooks(page, 'par-tabla')
  })

  it('follows a finger', async () => {
    const page = await demo.open({ viewport: PHONE, hasTouch: true, isMobile: true })
    await page.goto('/usd/blue')
    await page.locator('.chart').scrollIntoViewIfNeeded()
    await page.locator('.u-over').waitFor()
    const box = (await page.locator('.u-over').boundingBox())!
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2)
    await page.locator('[data-values]', { hasText: /\d+\/\d+\/\d{4}/ }).waitFor()
  })

  it('draws the gaps, and says when none is chosen', async () => {
    const page = await demo.open()
    await page.goto('/brecha')
    await page.locator('.chart canvas').waitFor()
    await expect.poll(() => page.locator('.chart-part').count()).toBe(3)
    await page.locator('[data-values]', { hasText: /Blue [+−]?\d+,\d\d\s%/ }).waitFor()
    for (const name of ['Dólar Blue', 'Dólar Bolsa (MEP)', 'Dólar CCL'])
      await page.getByRole('checkbox', { name }).uncheck({ force: true })
    await page.getByText('Elegí al menos una cotización para dibujar.').waitFor()
    await expect.poll(() => search(page)).toBe('?comparar=')
    await page.getByRole('button', { name: 'Guardar CSV', disabled: true }).waitFor()
    await page.reload()
    await page.getByText('Elegí al menos una cotización para dibujar.').waitFor()
  })
})

const search = (page: Page) => new URL(page.url()).search

/** The columns of the chart's canvas that contain a colour, read by a script of the page. */
const COLUMNS = (colour: string) => `(() => {
  const canvas = document.querySelector('.chart canvas')
  if (!canvas) return []
  const probe = document.createElement('canvas').getContext('2d')
  const coloured = document.body.appendChild(document.createElement('i'))
  coloured.style.color = 'var(${colour})'
  probe.fillStyle = getComputedStyle(coloured).color
  coloured.remove()
  probe.fillRect(0, 0, 1, 1)
  const [r, g, b] = probe.getImageData(0, 0, 1, 1).data
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
  const near = (at, value) => Math.abs(data[at] - value) < 12
  const counts = Array(canvas.width).fill(0)
  for (let i = 0; i < data.length; i += 4)
    if (near(i, r) && near(i + 1, g) && near(i + 2, b) && data[i + 3] > 200)
      counts[(i / 4) % canvas.width]++
  return counts
})()`

async function painted(page: Page, colour = '--series-1'): Promise<number> {
  const columns = await page.evaluate<number[]>(COLUMNS(colour))
  return columns.reduce((sum, count) => sum + count, 0)
}

/** The widest gap in the line, as a share of the line's width. */
async function widestHole(page: Page): Promise<number> {
  const columns = await page.evaluate<number[]>(COLUMNS('--series-1'))
  const first = columns.findIndex((count) => count > 0)
  const last = columns.findLastIndex((count) => count > 0)
  if (first === -1) return Number.NaN
  const runs = columns
    .slice(first, last)
    .map((count) => (count > 0 ? '|' : '.'))
    .join('')
  return Math.max(...runs.split('|').map((run) => run.length)) / (last - first)
}
