import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../tools/support/listen.ts'
import { until } from '../../tools/support/until.ts'

const SECRET = randomBytes(32).toString('hex')
const EVENT = { currency: 'USD', origin: 'BLUE', prevSell: 1410, sell: 1430 }

const PYTHON = { PYTHONPATH: resolve('clients/python'), PYTHONDONTWRITEBYTECODE: '1' }

const receivers: Record<string, (port: number) => string[]> = {
  'node-receiver/receiver.mjs': () => [process.execPath, 'receiver.mjs'],
  'python-receiver/receiver.py': () => ['python3', '-u', 'receiver.py'],
  'php-receiver/receiver.php': (port) => ['php', '-S', `127.0.0.1:${port}`, 'receiver.php'],
}
const here = Object.keys(receivers).filter(
  (name) => spawnSync(receivers[name]!(0)[0]!, ['--version']).status === 0,
)

describe.each(here)('examples/%s', (name) => {
  let child: ChildProcess
  let url: string
  let output = ''

  beforeAll(async () => {
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    const [folder] = name.split('/') as [string]
    const [command, ...args] = receivers[name]!(port)
    child = spawn(command!, args, {
      cwd: resolve('examples', folder),
      env: { ...process.env, ...PYTHON, SECRET, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (chunk) => (output += String(chunk)))
    const answers = () => fetch(url, { method: 'POST' }).then(Boolean, () => false)
    const failure = `${name} does not answer: ${output}`
    await until(answers, { everyMs: 100, atMostMs: 30_000, failure })
  })
  afterAll(() => void child.kill())

  /** Sends a delivery as the service does; its status. */
  async function deliver({
    id = randomUUID(),
    signedId = id,
    secret = SECRET,
    at = Date.now(),
  }: { id?: string; signedId?: string; secret?: string; at?: number } = {}) {
    const timestamp = String(Math.floor(at / 1000))
    const body = JSON.stringify({ ...EVENT, note: 'ñandú' })
    const hmac = createHmac('sha256', secret).update(`${signedId}.${timestamp}.${body}`)
    const { status } = await fetch(url, {
      method: 'POST',
      body,
      headers: {
        'Content-Type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${hmac.digest('base64')}`,
      },
    })
    return status
  }
  const printed = () => output.split('USD/BLUE 1410 -> 1430').length - 1

  it('prints a signed delivery once, also when it is repeated', async () => {
    const id = randomUUID()
    expect([await deliver({ id }), await deliver({ id })]).toEqual([204, 204])
    await expect.poll(printed).toBe(1)
    expect(await deliver()).toBe(204)
    await expect.poll(printed).toBe(2)
  })

  it('refuses another secret, an old time and an id that was not signed', async () => {
    const before = printed()
    expect(await deliver({ secret: 'f'.repeat(64) })).toBe(401)
    expect(await deliver({ at: Date.now() - 600_000 })).toBe(401)
    expect(await deliver({ signedId: randomUUID() })).toBe(401)
    expect(printed()).toBe(before)
  })
})
