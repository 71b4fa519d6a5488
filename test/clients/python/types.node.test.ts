import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { buildPythonClient } from '../../../tools/maintain/client/build.ts'
import { openScratch } from '../../../tools/support/scratch.ts'

/** Empty where this machine has no Python. */
const pythons = ['python3'].filter((name) => spawnSync(name, ['--version']).status === 0)

it.each(pythons)('%s has a class for each form of an answer', (python) => {
  using scratch = openScratch()
  buildPythonClient(scratch.file('package'))
  const names = ['CurrentQuote', 'Conversion', '_Series', 'StatusPairs', 'AlertDeliveryPage']
  const fields = names.map((name) => `sorted(types.${name}.__annotations__)`)
  const code = `from cotizaciones import types; print([${fields.join()}])`
  const { stdout } = spawnSync(python, ['-c', code], {
    cwd: scratch.file('package'),
    encoding: 'utf8',
  })
  expect(JSON.parse(stdout.replaceAll("'", '"'))).toEqual([
    expect.arrayContaining(['buy', 'change', 'lastScrapedAt', 'sell']),
    expect.arrayContaining(['amount', 'from', 'legs', 'to']),
    ['summary'],
    expect.arrayContaining(['fresh', 'held']),
    ['deliveries', 'nextCursor'],
  ])
})
