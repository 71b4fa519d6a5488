import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Agent, fetch } from 'undici'
import { expect, it, onTestFinished } from 'vitest'
import { ROOT } from '../../tools/support/process.ts'
import { openScratch } from '../../tools/support/scratch.ts'
import { signStandard } from '../../workers/delivery/attempt/headers.ts'

const SECRET = '0123456789abcdef'.repeat(4)

it('verifies the signature of each delivery, prints it, and answers with the configured status', async () => {
  using scratch = openScratch()
  const options = ['--port', '0', '--state', scratch.path, '--status', '503']
  const tool = join(ROOT, 'tools/operate/receiver.ts')
  const child = spawn(process.execPath, [tool, ...options], { cwd: scratch.path })
  onTestFinished(() => void child.kill())
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  const shows = (text: string) => expect.poll(() => output, { timeout: 15_000 }).toContain(text)

  await shows('create a webhook')
  const command = /NODE_EXTRA_CA_CERTS=\S+ npm start -- --receiver \S+=127\.0\.0\.1:(\d+)/
  const [, port] = command.exec(output)!
  const ca = readFileSync(scratch.file('authority.pem'))
  const dispatcher = new Agent({ connect: { ca, servername: 'hooks.example.com' } })
  child.stdin.write(`${SECRET}\n`)
  await shows('secret added')

  async function post(secret: string): Promise<number> {
    const body = '{"event":"rate.updated"}'
    const deliveryId = 'delivery-1'
    const timestamp = Math.floor(Date.now() / 1000)
    const headers = {
      'webhook-id': deliveryId,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': await signStandard(secret, { deliveryId, timestamp }, body),
    }
    const order = { method: 'POST', body, headers, dispatcher }
    return (await fetch(`https://127.0.0.1:${port}/`, order)).status
  }

  expect(await post(SECRET)).toBe(503)
  await shows('delivery delivery-1 webhook ? signature valid')
  await post('f'.repeat(64))
  await shows('delivery delivery-1 (again) webhook ? signature invalid')
})
