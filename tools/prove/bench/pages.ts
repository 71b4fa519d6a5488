/**
 * First visits to the pages in a real browser (Debian's Chromium), on a throttled line and processor
 * as Lighthouse's mobile profile has them: bytes over the wire, largest contentful paint, layout
 * shift.
 */
import { type CDPSession, type Page } from 'playwright-core'
import { openBrowser, PHONE } from '../harness/browser.ts'
import { startService } from '../harness/service.ts'
import { type Bench, type BenchOptions, type Figure, figure, median } from './bench.ts'

const VISITS = 3
/** 1.6 Mbit/s, 150 ms of round trip, a processor four times slower. */
const LINE = { offline: false, latency: 150, downloadThroughput: 2e5, uploadThroughput: 9e4 }
const SLOWDOWN = 4
const SETTLE_MS = 1500

interface Visit {
  kilobytes: number
  largestPaintMs: number
  layoutShift: number
}

export const pages: Bench = {
  name: 'pages',
  summary: 'first visits to home and a pair page in Chromium, throttled as a phone on a bad line',
  method:
    `${VISITS} first visits of each page to the local service, in Chromium at 1.6 Mbit/s, 150 ms and a ` +
    'processor four times slower; medians',
  run: benchPages,
}

async function benchPages({ progress }: BenchOptions): Promise<Figure[]> {
  await using service = await startService(['--demo'])
  const browser = await openBrowser()
  try {
    const figures: Figure[] = []
    for (const [name, path] of [
      ['home', '/'],
      ['pair page', '/usd/blue'],
    ] as const) {
      const visits: Visit[] = []
      for (let visit = 0; visit < VISITS; visit++) {
        // A context of its own has nothing in its cache.
        const context = await browser.newContext({ viewport: PHONE })
        visits.push(await firstVisit(await context.newPage(), service.url + path))
        await context.close()
        progress(`${name}: visit ${visit + 1} of ${VISITS}`)
      }
      figures.push(...figuresOf(name, visits))
    }
    return figures
  } finally {
    await browser.close()
  }
}

function figuresOf(name: string, visits: Visit[]): Figure[] {
  const middle = (field: keyof Visit) => median(visits.map((visit) => visit[field]))
  return [
    figure(`${name}: first visit`, middle('kilobytes'), 'KB', { atMost: 60 }),
    figure(`${name}: largest contentful paint`, middle('largestPaintMs'), 'ms', { atMost: 1200 }),
    figure(`${name}: layout shift`, middle('layoutShift'), undefined, { atMost: 0.02 }),
  ]
}

async function firstVisit(page: Page, url: string): Promise<Visit> {
  const session = await page.context().newCDPSession(page)
  const bytes = await countBytes(session)
  await session.send('Network.emulateNetworkConditions', LINE)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
  await page.addInitScript(WATCH)
  await page.goto(url, { waitUntil: 'load' })
  await page.waitForTimeout(SETTLE_MS)

  const { paint, shift } = await page.evaluate<{ paint: number; shift: number }>('globalThis.seen')
  return {
    kilobytes: Math.round(bytes() / 1000),
    largestPaintMs: Math.round(paint),
    layoutShift: Math.round(shift * 1000) / 1000,
  }
}

async function countBytes(session: CDPSession): Promise<() => number> {
  let total = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (total += encodedDataLength))
  await session.send('Network.enable')
  return () => total
}

const WATCH = `
  globalThis.seen = { paint: 0, shift: 0 }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.paint = entry.startTime
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) seen.shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
`
