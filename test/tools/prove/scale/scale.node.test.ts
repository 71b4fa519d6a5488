import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readArguments, UsageError } from '../../../../tools/support/arguments.ts'
import { withTables } from '../../../../tools/prove/harness/page.ts'
import { command } from '../../../../tools/prove/scale/options.ts'
import {
  DATABASES,
  HUNDREDFOLD,
  SCALE_PAGE,
  scaleTables,
} from '../../../../tools/prove/scale/page.ts'

const readOptions = (args: readonly string[]) => readArguments(command, args).values

describe('the options of npm run scale', () => {
  it('are a hundred times as much when there are none', () => {
    expect(readOptions([])).toEqual({ ...HUNDREDFOLD, databases: DATABASES, write: false })
  })

  it('replace what they name', () => {
    const values = readOptions(['--webhooks', '5000', '--seed=9', '--databases', '16'])
    expect(values).toMatchObject({ ...HUNDREDFOLD, webhooks: 5000, seed: 9, databases: 16 })
  })

  it.each([
    ['--webhooks', '0'],
    ['--deliveries', 'many'],
    ['--reads', '-1'],
    ['--databases', '513'],
    ['--write', '--seed', '2'],
    ['--nothing'],
    ['word'],
  ])('refuse %s %s', (...args) => {
    expect(() => readOptions(args)).toThrow(UsageError)
  })
})

const run = (...args: string[]) =>
  spawnSync(process.execPath, ['tools/prove/scale.ts', ...args], { encoding: 'utf8' })

describe('npm run scale', () => {
  it('prints its options with --help', () => {
    const { status, stdout } = run('--help')
    expect(status).toBe(0)
    expect(stdout).toContain('--databases <N>')
  })

  it('ends with 2 when one cannot be used', () => {
    const { status, stderr } = run('--databases', '0')
    expect(status).toBe(2)
    expect(stderr).toContain('error: --databases must be a whole number from 1 to 512')
  })
})

it('docs/scale.md has the tables as they are computed (npm run scale -- --write)', () => {
  const page = readFileSync(SCALE_PAGE, 'utf8')
  const tables = scaleTables(HUNDREDFOLD, DATABASES)
  for (const name of ['limits', 'design', 'price']) expect(page).toContain(`<!-- ${name} -->`)
  expect(withTables(page, tables)).toBe(page)
})
