import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import { listen } from '../../../../tools/support/listen.ts'
import { runTool } from '../../../../tools/support/process.ts'
import { argentineDay } from '../../../../shared/argentine-time.ts'
import { openRecordedMarket } from '../../../support/recorded-market.ts'
import { SOURCES } from '../../../../workers/scraper/sources/index.ts'

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

  it('says in one line what was read and what a changed document lacks', async () => {
    const [year, month, day] = argentineDay(Date.now()).split('-')
    await using market = await openRecordedMarket({
      'mercados.ambito.com/dolar/informal/variacion': `{"compra":"1.410,00","venta":"1.430,00","fecha":"${day}/${month}/${year} - 00:00"}`,
      'api.belo.app/public/price': '[1]',
    })
    const names = ['ambito-blue', 'belo', 'dolarhoy']
    const { stdout } = await runTool('sources', ['check', ...names, '--upstream', market.url])
    expect(stdout).toMatch(/^ok {6}ambito-blue +USD\/BLUE 1410 1430$/m)
    expect(stdout).toMatch(/^FAILED {2}belo +format: /m)
    expect(stdout).toMatch(/^FAILED {2}dolarhoy +http: /m)
    expect(stdout).toContain('1 of 3 sources were read')
  })

  it('asks once, also after a 503', async () => {
    let asked = 0
    const server = createServer((_, response) => {
      asked += 1
      response.writeHead(503).end()
    })
    await using busy = await listen(server)
    const upstream = `http://127.0.0.1:${busy.port}`
    const { stdout } = await runTool('sources', ['check', 'belo', '--upstream', upstream])
    expect(stdout).toMatch(/^FAILED {2}belo +http: /)
    expect(asked).toBe(1)
  })
})
