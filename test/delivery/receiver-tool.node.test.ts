import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { sign } from '../../workers/delivery/attempt/headers.ts'

const SECRET = '0123456789abcdef'.repeat(4)
const NAME = 'hooks.example.com'
const running: ReturnType<typeof spawn>[] = []

afterEach(() => {
  for (const child of running.splice(0)) child.kill()
})

async function startTool(...options: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'receiver-'))
  const child = spawn('node', [
    'tools/operate/receiver.ts',
    '--port',
    '0',
    '--state',
    folder,
    ...options,
  ])
  running.push(child)
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  await expect.poll(() => output, { timeout: 15_000 }).toContain('create a webhook')

  const port = Number(
    /NODE_EXTRA_CA_CERTS=\S+ npm start -- --receiver \S+=127\.0\.0\.1:(\d+)/.exec(output)![1],
  )
  const ca = readFileSync(join(folder, 'authority.pem'))
  return { child, port, ca, output: () => output }
}

async function post(port: number, ca: Buffer, secret: string): Promise<number | undefined> {
  const body = '{"event":"rate.updated"}'
  const timestamp = Math.floor(Date.now() / 1000)
  const headers = {
    'X-Service-Delivery-Id': 'delivery-1',
    'X-Service-Timestamp': timestamp,
    'X-Service-Signature': await sign(secret, timestamp, body),
  }
  return new Promise((resolve, reject) => {
    request(
      { host: '127.0.0.1', port, ca, servername: NAME, method: 'POST', headers, agent: false },
      (response) => {
        response.destroy()
        resolve(response.statusCode)
      },
    )
      .on('error', reject)
      .end(body)
  })
}

it('shows each delivery with its signature verified, and answers as it is told', async () => {
  const { child, port, ca, output } = await startTool('--status', '503')
  child.stdin!.write(`${SECRET}\n`)
  await expect.poll(output).toContain('secret added')

  expect(await post(port, ca, SECRET)).toBe(503)
  await expect.poll(output).toContain('delivery delivery-1 webhook ? signature valid')
  await post(port, ca, 'f'.repeat(64))
  await expect.poll(output).toContain('delivery delivery-1 (again) webhook ? signature invalid')
})
