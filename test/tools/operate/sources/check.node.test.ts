import { describe, expect, it } from 'vitest'
import { runTool } from '../../../../tools/support/process.ts'
import { checkSources, checkLine } from '../../../../tools/operate/check-sources.ts'
import { sourceNamed, SOURCES } from '../../../../workers/scraper/sources/index.ts'
import { art } from '../../../support/instant.ts'

const NOON = art('2026-03-02 12:00')

describe('npm run sources -- check', () => {
  it('asks every document of the demo market once', async () => {
    const { code, stdout } = await runTool('sources', ['check', '--demo'])
    const lines = stdout.trim().split('\n')

    expect(code).toBe(0)
    expect(lines.pop()).toBe(`${SOURCES.length} of ${SOURCES.length} sources were read`)
    const names = lines.map((line) => /^ok {6}(\S+) +\S/.exec(line)?.[1])
    expect(names.toSorted()).toEqual(SOURCES.map(({ name }) => name).toSorted())
  })

  it('ends with 1 and says what failed, and with 2 for a name that is no source', async () => {
    const upstream = ['--upstream', 'http://127.0.0.1:9']
    const failed = await runTool('sources', ['check', 'belo', 'dolarhoy', ...upstream])
    expect(failed.code).toBe(1)
    expect(failed.stdout).toMatch(/FAILED {2}belo +network: did not answer/)
    expect(failed.stdout).toContain('0 of 2 sources were read')

    const unknown = await runTool('sources', ['check', 'nobody'])
    expect(unknown.code).toBe(2)
    expect(unknown.output).toContain('no source nobody')
  })
})

it.each<[string, RegExp, () => Response]>([
  [
    'what was read',
    /^ok {6}ambito-blue +USD\/BLUE 1410 1430$/,
    () => Response.json({ compra: '1.410,00', venta: '1.430,00', fecha: '02/03/2026 - 11:45' }),
  ],
  ['a changed document', /^FAILED {2}ambito-blue +format: /, () => Response.json([1])],
  ['a 503', /^FAILED {2}ambito-blue +http: /, () => new Response('', { status: 503 })],
])('a check says %s in one line, and asks once', async (_, line, answer) => {
  let asked = 0
  const network = async () => (asked++, answer())
  const [check] = await checkSources({ fetch: network as typeof fetch, now: () => NOON }, [
    sourceNamed('ambito-blue'),
  ])
  expect(checkLine(check!)).toMatch(line)
  expect(asked).toBe(1)
})
