import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { withTables } from '../../../../tools/prove/harness/page.ts'
import { HUNDREDFOLD, SCALE_PAGE, scaleTables } from '../../../../tools/prove/scale/tables.ts'

const run = (...args: string[]) =>
  spawnSync(process.execPath, ['tools/prove/scale.ts', ...args], { encoding: 'utf8' })

it('npm run scale prints the tables of another load', () => {
  const { status, stdout } = run('--deliveries', '1000000')
  expect(status).toBe(0)
  expect(stdout).toContain('30,000,000 deliveries')
})

it.each([
  [['--webhooks', '0'], 'error: --webhooks must be a whole number from 1 to'],
  [['--write', '--reads', '5'], "error: option '--write' cannot be used with option '--reads"],
])('npm run scale ends with 2 at %s', (args, problem) => {
  const { status, stderr } = run(...args)
  expect(status).toBe(2)
  expect(stderr).toContain(problem)
})

it('docs/scale.md has the tables as they are computed (npm run scale -- --write)', () => {
  const page = readFileSync(SCALE_PAGE, 'utf8')
  for (const name of ['limits', 'design', 'price']) expect(page).toContain(`<!-- ${name} -->`)
  expect(withTables(page, scaleTables(HUNDREDFOLD))).toBe(page)
})
