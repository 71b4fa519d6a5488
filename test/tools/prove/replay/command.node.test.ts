import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

const SERIES = 'test/fixtures/series/'

const folder = mkdtempSync(join(tmpdir(), 'replay-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('npm run replay', () => {
  it('prints a table and writes a line for each change and each hold', () => {
    const json = join(folder, 'lines.jsonl')
    const output = run(['--a', fixture('replay-a.csv'), '--json', json])

    expect(output).toContain('USD/BLUE')
    expect(output).toContain('solidario')
    expect(lines(json)).toEqual([
      {
        at: '2026-03-02T15:00:00.000Z',
        pair: 'USD/BLUE',
        buy: 1125,
        sell: 1145,
        source: 'replay-a',
      },
      {
        at: '2026-03-02T16:05:00.000Z',
        pair: 'USD/BLUE',
        buy: 1130,
        sell: 1150,
        source: 'replay-a',
      },
      {
        at: '2026-03-02T17:05:00.000Z',
        pair: 'USD/BLUE',
        held: { buy: 1130, sell: 115 },
        source: 'replay-a',
        reason: 'form',
        releasedAt: null,
      },
      {
        at: '2026-03-02T19:05:00.000Z',
        pair: 'USD/BLUE',
        held: { buy: 1290, sell: 1310 },
        source: 'replay-a',
        reason: 'spread',
        releasedAt: '2026-03-02T20:10:00.000Z',
      },
      {
        at: '2026-03-02T20:10:00.000Z',
        pair: 'USD/BLUE',
        buy: 1290,
        sell: 1310,
        source: 'replay-a',
      },
    ])
  })

  it('lets a second source confirm, and reads JSON lines', () => {
    const json = join(folder, 'two.jsonl')
    const second = join(folder, 'second.jsonl')
    writeFileSync(
      second,
      [
        {
          committed_at: '2026-03-02T15:00:00+00:00',
          body: [...blue(1126, 1146), { moneda: 'USD' }],
        },
        { committed_at: '2026-03-02T19:00:30+00:00', body: blue(1288, 1308) },
      ]
        .map((line) => JSON.stringify(line))
        .join('\n'),
    )
    run(['--a', fixture('replay-a.csv'), '--b', second, '--json', json])

    expect(lines(json).at(-1)).toMatchObject({ at: '2026-03-02T19:05:00.000Z', sell: 1310 })
  })

  it('says how it is used when no file is named', () => {
    expect(() => run([])).toThrow(/needs a file[^]*Usage: npm run replay/)
  })
})

describe('on real days', () => {
  it.each([
    ['a dropped digit beside an independent source', ['2024-02', '2024-02']],
    ['a dropped digit of the only source', ['2024-02']],
    ['everything times 100 for three hours', ['2024-09']],
  ])('no known fault passes: %s', (_, [a, b]) => {
    const second = b === undefined ? [] : ['--b', `${SERIES}ambito-dolares-changes-${b}.csv`]
    const first = ['--a', `${SERIES}dolares-hourly-${a}.csv`]
    const output = run([...first, ...second, '--incidents', `${SERIES}incidents.csv`])
    expect(output).toMatch(/known faults: \d\d sides, published: 0$/m)
  })
})

function fixture(name: string): string {
  return new URL(`../../../fixtures/${name}`, import.meta.url).pathname
}

function blue(compra: number, venta: number) {
  return [{ moneda: 'USD', casa: 'blue', compra, venta }]
}

function run(args: string[]): string {
  const tool = new URL('../../../../tools/prove/replay.ts', import.meta.url).pathname
  try {
    return execFileSync(process.execPath, [tool, ...args], { encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(stdout + stderr, { cause: error })
  }
}

function lines(path: string): Record<string, unknown>[] {
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}
