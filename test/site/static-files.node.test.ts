import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const require = createRequire(import.meta.url)
const ours = '../../workers/site/public/static'

it.each([
  ['uplot/dist/uPlot.iife.min.js', 'uplot.js'],
  ['uplot/dist/uPlot.min.css', 'uplot.css'],
])('%s of the locked package is what we serve as %s', (source, served) => {
  const file = join(import.meta.dirname, ours, served)
  expect(readFileSync(file, 'utf8')).toBe(readFileSync(require.resolve(source), 'utf8'))
})
