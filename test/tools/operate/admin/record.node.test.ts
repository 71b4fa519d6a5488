/** What an accountant does a week later, on another machine, with the address alone. */
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { admin, type Service, startService } from '../../../../tools/prove/harness/service.ts'
import { temporaryFolder } from '../../../../tools/support/scratch.ts'
import { until } from '../../../../tools/support/until.ts'

const elsewhere = temporaryFolder()
let service: Service

beforeAll(async () => {
  service = await startService(['--demo', '--every', '3600'])
  await until(() => service.get('/datos/archivos.json').then(({ ok }) => ok), {
    everyMs: 250,
    atMostMs: 90_000,
    failure: 'no nightly files',
  })
}, 120_000)
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  rmSync(elsewhere, { recursive: true })
})

const verify = (state: string, ...args: string[]) =>
  admin(['--state', state, 'record', 'verify', ...args])

it('holds, and opens no state of the machine on which it is checked', async () => {
  const state = join(elsewhere, 'state')
  const listed = await (await service.get('/datos/archivos.json')).json()
  const { lastDay } = listed as { lastDay: string }
  const { code, stdout } = await verify(state, service.url, '--day', lastDay)
  expect(stdout).toMatch(
    new RegExp(
      `^holds from \\d{4}-\\d\\d-\\d\\d to ${lastDay}: \\d+ manifests, 0 of them not signed\nsigned by [\\w-]{43}\n`,
    ),
  )
  expect(code).toBe(0)
  expect(existsSync(state)).toBe(false)
})

it('asks the service that runs on the state when no address is given', async () => {
  expect((await verify(service.stateDir)).stdout).toContain('holds from ')
  expect((await verify(elsewhere)).output).toContain('give the address of one')
})

it.each([
  ['a key that is not believed', ['--key', 'another'], /^FALSE unknown key: .*does not hold$/ms],
  ['a day that is none', ['--since', 'ayer'], /--since and --day are days/],
])('fails with status 1 for %s', async (_, options, words) => {
  const { code, output } = await verify(elsewhere, service.url, ...options)
  expect(output).toMatch(words)
  expect(code).toBe(1)
})

/** Where this machine has one. */
const pythons = ['python3'].filter((name) => spawnSync(name, ['--version']).status === 0)

it.each(pythons)('holds for the Python client too, with %s', (python) => {
  const script = [
    'from cotizaciones import Client',
    `found = Client(${JSON.stringify(service.url)})`,
    'print(found.verify_record().problems, found.verify_record(keys=["x"], files=False).holds)',
  ]
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' }
  const { stdout } = spawnSync(python, ['-c', script.join('\n')], {
    cwd: 'clients/python',
    env,
    encoding: 'utf8',
  })
  expect(stdout).toBe('[] False\n')
})

it('says that an address has no record', async () => {
  const { code, output } = await verify(elsewhere, 'http://127.0.0.1:1')
  expect(output).toMatch(/^error: http:\/\/127\.0\.0\.1:1 has no record to read: /m)
  expect(code).toBe(1)
})
