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
    const failed = await runTool('sources', ['check', 'belo', 'bcu', ...upstream])
    expect(failed.code).toBe(1)
    expect(failed.stdout).toMatch(/FAILED {2}belo +network: did not answer/)
    expect(failed.stdout).toContain('0 of 2 sources were read')

    const unknown = await runTool('sources', ['check', 'nobody'])
    expect(unknown.code).toBe(2)
    expect(unknown.output).toContain('no source nobody')
  })
})

/** What a check says of one answer, and how often it asked. */
const answered = async (answer: () => Response | Promise<Response>) => {
  let asked = 0
  const network = async () => {
    asked += 1
    return answer()
  }
  const [check] = await checkSources({ fetch: network as typeof fetch, now: () => NOON }, [
    sourceNamed('ambito-blue'),
  ])
  return { ...check!, asked }
}

describe('a check', () => {
  it('says what was read', async () => {
    const body = { compra: '1.410,00', venta: '1.430,00', fecha: '02/03/2026 - 11:45' }
    const check = await answered(() => Response.json(body))
    expect(check).toMatchObject({
      readings: [{ kind: 'quote', pair: 'USD/BLUE' }],
      failure: null,
      asked: 1,
    })
    expect(checkLine(check)).toMatch(/^ok {6}ambito-blue +USD\/BLUE 1410 1430$/)
  })

  it.each([
    ['a changed document', () => Response.json([1]), 'format'],
    ['a 503', () => new Response('', { status: 503 }), 'http'],
    ['an empty answer', () => new Response(''), 'empty'],
    ['a broken line', () => Promise.reject(new Error('x')), 'network'],
  ])('of %s says the class of the failure, and asks no second time', async (_, answer, failure) => {
    expect(await answered(answer)).toMatchObject({
      failure: { kind: failure },
      readings: [],
      asked: 1,
    })
  })
})
