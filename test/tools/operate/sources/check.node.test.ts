import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { listen } from '../../../../tools/support/listen.ts'
import { runTool } from '../../../../tools/support/process.ts'
import { argentineDay } from '../../../../shared/argentine-time.ts'
import { SOURCES } from '../../../../workers/scraper/sources/index.ts'

it('sources check prints one line per source with its readings or its failure, requests each once, and exits with 1', async () => {
  const [year, month, day] = argentineDay(Date.now()).split('-')
  const documents: Record<string, string> = {
    '/mercados.ambito.com/dolar/informal/variacion': `{"compra":"1.410,00","venta":"1.430,00","fecha":"${day}/${month}/${year} - 00:00"}`,
    '/api.belo.app/public/price': '[1]',
  }
  const requested: string[] = []
  const server = createServer(({ url = '' }, response) => {
    requested.push(url)
    response.writeHead(url in documents ? 200 : 503).end(documents[url])
  })
  await using upstream = await listen(server)
  const from = ['--upstream', `http://127.0.0.1:${upstream.port}`]
  const { code, stdout } = await runTool('sources', ['check', ...from])
  expect(stdout).toMatch(/^ok {6}ambito-blue +USD\/BLUE 1410 1430$/m)
  expect(stdout).toMatch(/^FAILED {2}belo +format: /m)
  expect(stdout).toMatch(/^FAILED {2}dolarhoy +http: /m)
  expect(stdout).toContain(`1 of ${SOURCES.length} sources were read`)
  expect([code, requested.length]).toEqual([1, SOURCES.length])
})

it('sources check requests the named sources, and ends with 2 for a name that is no source', async () => {
  const from = ['--upstream', 'http://127.0.0.1:9']
  const { stdout } = await runTool('sources', ['check', 'belo', ...from])
  expect(stdout).toContain('0 of 1 sources were read')
  const { code, output } = await runTool('sources', ['check', 'nobody'])
  expect(code).toBe(2)
  expect(output).toContain('no source nobody')
})
