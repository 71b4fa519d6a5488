/**
 * `npm run verify` against the service as `npm start` runs it, and against the same answers with
 * one of them broken: each check fails where its promise does.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSender } from '../../../../tools/support/http-client.ts'
import { allChecks, type Found, verify } from '../../../../tools/operate/verify/verify.ts'
import { type Service, startService } from '../../../../tools/prove/harness/service.ts'
import { until } from '../../../../tools/support/until.ts'
import { DEFECTS } from './defects.ts'
import { Proxy } from './proxy.ts'
import { openOperator } from '../../../support/operator.ts'

let service: Service
let proxy: Proxy
let key: string
let now: number

beforeAll(async () => {
  service = await startService(['--demo', '--every', '3600'])
  await until(() => service.get('/datos/archivos.json').then(({ ok }) => ok), {
    everyMs: 250,
    atMostMs: 60_000,
    failure: 'no nightly files',
  })
  proxy = await new Proxy(service.url).listen()
  key = service.lines.find((line) => line.startsWith('key '))!.slice('key '.length)
  now = Date.now()
})
afterAll(async () => {
  await proxy[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})

const NAMES = allChecks().map(({ name }) => name)

/**
 * Verifies through the proxy, everything or the kinds of check that a defect may touch. Each check
 * is a part, so that its answers are its own.
 */
async function verifyThroughProxy(kind?: string): Promise<Found[]> {
  const checks = allChecks().filter(({ name }) => !kind || kindOf(name) === kind)
  const ids = [...checks.map(({ name }) => NAMES.indexOf(name)), NAMES.length]
  let part = ids.shift()!
  proxy.begin(String(part))
  const scene = {
    ask: createSender(proxy.url),
    key,
    now: () => now,
    newId: () => `00000000-0000-4000-8000-${String(part).padStart(12, '0')}`,
    sleep: async (ms: number) =>
      proxy.replays ? undefined : new Promise<void>((resolve) => setTimeout(resolve, ms)),
  }
  const next = () => {
    part = ids.shift()!
    proxy.begin(String(part))
  }
  return verify(scene, next, checks)
}

/** What a check is about; one webhook is the subject of several. */
function kindOf(name: string): string {
  const [, kind] = /^(\w+)/.exec(name)!
  return kind === 'deliveries' ? 'webhooks' : kind!
}

const brokenOf = (all: Found[]) => all.filter(({ outcome }) => outcome === 'broken')

it('holds for the service as it is, and leaves nothing behind', async () => {
  const found = await verifyThroughProxy()
  expect(found.filter(({ outcome }) => outcome !== 'ok')).toEqual([])
  expect(found).toHaveLength(allChecks().length)

  proxy.replays = true
  expect(brokenOf(await verifyThroughProxy())).toEqual([])
})

describe('with one answer broken', () => {
  it.each(DEFECTS)('%s … finds: %s', async (check, _, alter) => {
    proxy.replays = true
    proxy.alter = alter
    const broken = brokenOf(await verifyThroughProxy(kindOf(check)))
    proxy.alter = () => {}
    expect(broken.map(({ name }) => name).join('\n')).toMatch(new RegExp(`^${escaped(check)}`, 'm'))
    for (const { detail } of broken) expect(detail).not.toContain('never asked')
  })

  it('every check has a defect that it finds', () => {
    const without = allChecks().filter(
      ({ name }) => !DEFECTS.some(([check]) => name.startsWith(check)),
    )
    expect(without).toEqual([])
  })
})

describe('the command', () => {
  it('ends with 0 and a line a check when everything holds', async () => {
    await using operator = await openOperator(service.stateDir)
    await operator.admin('account', 'create', 'verify@example.com')
    const own = (await operator.admin('key', 'create', 'verify@example.com', 'verify')).trim()

    const { code, output } = await command(await through('192.0.2.2'), '--key', own)
    expect(output).toContain(`${allChecks().length} hold, 0 fail, 0 left out`)
    expect(code).toBe(0)
  })

  it('asks the public part without a key, and says what it left out', async () => {
    const { code, output } = await command(await through('192.0.2.3'))
    expect(output).toMatch(/^- {4} {1}D1: changes\(\).*: left out, it needs --key$/m)
    expect(output).toContain('0 fail')
    expect(code).toBe(0)
  })

  it('ends with 1 and says what fails', async () => {
    const url = await through('192.0.2.4')
    proxy.alter = ({ path }, given) => {
      if (path === '/api/v2/status') given.status = 500
    }
    const { code, output } = await command(url)
    proxy.alter = () => {}
    expect(output).toMatch(/^FAIL {2}status: .*: \/api\/v2\/status answers 500, not 200$/m)
    expect(code).toBe(1)
  })

  it('ends with 1 where nobody answers, in a line a check', async () => {
    const { code, output } = await command('http://127.0.0.1:1', '--wait', '1')
    expect(output).toContain('waiting up to 1 s')
    expect(output).toMatch(/^FAIL .*no answer \(.+\)$/m)
    expect(code).toBe(1)
  })

  it.each([[['nowhere']], [['https://a.example', '--kee', 'x']]])(
    'ends with 2 for %j',
    async (args) => {
      const { code, output } = await command(...args)
      expect(output).toMatch(/^error: .+\n(?:\(Did you mean .+\n)?Usage: npm run verify /)
      expect(code).toBe(2)
    },
  )
})

/** The proxy as it passes on, for a client of its own: date reads are counted by address. */
async function through(address: string): Promise<string> {
  proxy.replays = false
  proxy.address = address
  return proxy.url
}

async function command(...args: string[]): Promise<{ code: number; output: string }> {
  try {
    const ran = await promisify(execFile)(process.execPath, ['tools/operate/verify.ts', ...args])
    return { code: 0, output: ran.stdout + ran.stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, output: stdout + stderr }
  }
}

function escaped(text: string): string {
  return text.replace(/[()]/g, '\\$&')
}
