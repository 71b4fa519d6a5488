import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { startService } from '../../../tools/prove/harness/service.ts'
import { listen } from '../../../tools/support/listen.ts'
import { runTool } from '../../../tools/support/process.ts'

const verify = (...args: string[]) => runTool('verify', args)

it('passes for a running service, and leaves no webhook behind', async () => {
  await using service = await startService(['--demo', '--every', '3600'])
  const key = service.lines.find((line) => line.startsWith('key '))!.slice('key '.length)
  const { code, output } = await verify(service.url, '--key', key)
  expect(output).toMatch(/\n\d+ hold, 0 fail\n$/)
  expect(code).toBe(0)

  const listed = await service.get('/api/v2/webhooks', { headers: { 'x-api-key': key } })
  expect(await listed.json()).toMatchObject({ webhooks: [] })
})

it('every check fails on a server that gives one answer to everything', async () => {
  const other = createServer((_, response) => response.end('{}'))
  await using server = await listen(other)
  const { code, output } = await verify(`http://127.0.0.1:${server.port}`, '--key', 'x')
  expect(output).toMatch(/^FAIL {2}history: .+$/m)
  expect(output).toMatch(/\n0 hold, \d+ fail\n$/)
  expect(code).toBe(1)
})

it('prints why the service does not answer', async () => {
  const { code, output } = await verify('http://127.0.0.1:1', '--wait', '1')
  expect(output).toMatch(/^FAIL {2}status: .*: no answer \(.+\)$/m)
  expect(code).toBe(1)
})

it.each([['nowhere'], ['https://a.example --kee x']])('ends with 2 for %j', async (args) => {
  const { code, output } = await verify(...args.split(' '))
  expect(output).toMatch(/^error: .+\n(?:\(Did you mean .+\n)?Usage: npm run verify /)
  expect(code).toBe(2)
})
