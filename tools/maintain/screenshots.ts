/**
 * `npm run screenshots`: the board's pictures for the README, light and dark, from a demo of its own.
 * Needs Chromium (`CHROMIUM=/path` where it is not Debian's).
 */
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openBrowser } from '../prove/harness/browser.ts'
import { startService } from '../prove/harness/service.ts'
import { until } from '../support/until.ts'

const FOLDER = join(import.meta.dirname, '../../docs/images')
/** What the upper part of the board needs; JPEG, because a PNG of it is three times as large. */
const VIEW = { width: 1120, height: 720 }
const QUALITY = 70
const ALL_TOGETHER = 150 * 1024

await using service = await startService(['--demo'])
await until(hasPast, { everyMs: 500, atMostMs: 60_000, failure: 'the demo market has no past' })

mkdirSync(FOLDER, { recursive: true })
const browser = await openBrowser()
let bytes = 0
try {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ viewport: VIEW, colorScheme, reducedMotion: 'reduce' })
    await page.goto(service.url)
    await page.getByText('En vivo').waitFor()
    const path = join(FOLDER, `board-${colorScheme}.jpg`)
    await page.screenshot({ path, type: 'jpeg', quality: QUALITY })
    const { size } = statSync(path)
    bytes += size
    console.log(`${path} ${Math.round(size / 1024)} KiB`)
  }
} finally {
  await browser.close()
}
if (bytes > ALL_TOGETHER) {
  console.error(
    `error: ${bytes} bytes are more than the ${ALL_TOGETHER} that the pictures may weigh`,
  )
  process.exitCode = 1
}

/** The charts are drawn a few seconds after the start. */
async function hasPast(): Promise<boolean> {
  const chart = await service.get('/usd/blue/grafico.json')
  return chart.ok && ((await chart.json()) as { closes: unknown[] }).closes.length >= 30
}
