import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const require = createRequire(import.meta.url)
const ours = join(import.meta.dirname, '../../workers/site/public/static')

it.each([
  ['uplot/dist/uPlot.iife.min.js', 'uplot.js'],
  ['uplot/dist/uPlot.min.css', 'uplot.css'],
])('%s of the locked package is what we serve as %s', (source, served) => {
  expect(readFileSync(join(ours, served), 'utf8')).toBe(
    readFileSync(require.resolve(source), 'utf8'),
  )
})
