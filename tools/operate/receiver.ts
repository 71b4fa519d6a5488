/**
 * `npm run receiver`: a local receiver for deliveries, with HTTPS on loopback and a certificate of
 * its own test authority. It prints the options of `npm start` that connect the service with it.
 */
import { Command } from '@commander-js/extra-typings'
import type { IncomingHttpHeaders } from 'node:http'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { verifyWebhook } from '../../clients/javascript/verify-webhook.ts'
import { type Authority, createAuthority, openAuthority } from '../support/authority.ts'
import { CommandError, runCommand, whole } from '../support/arguments.ts'
import { openReceiver } from '../support/receiver.ts'

const command = new Command('npm run receiver --')
  .option('--name <HOST>', 'the host name of its certificate', 'hooks.example.com')
  .addOption(
    whole('--port <N>', 'the port on 127.0.0.1; 0: any free port', 0, 65_535).default(9443),
  )
  .addOption(
    whole(
      '--status <N>',
      'the status of its answers; 503 shows how a delivery is retried',
      200,
      599,
    ).default(204),
  )
  .option('--state <DIR>', 'the folder of its test authority', '.state-receiver')

command.action(async ({ name: host, port, status, state }) => {
  const name = host.toLowerCase()
  const folder = resolve(state)
  const authority = savedAuthority(folder)
  const seen = new Set<string>()
  const secrets: string[] = []
  const receiver = await openReceiver(
    authority.issue([name]),
    async (headers, body, response) => {
      response.writeHead(status).end()
      const id = String(headers['webhook-id'])
      const webhook = String(headers['x-service-webhook-id'] ?? '?')
      const type = headers['x-service-delivery-type'] === 'sync' ? ' sync' : ''
      const again = seen.has(id) ? ' (again)' : ''
      seen.add(id)
      const signature = await signatureOf(headers, body, secrets)
      console.log(`delivery ${id}${again} webhook ${webhook}${type} signature ${signature}`)
      console.log(`  ${String(body)}`)
    },
    port,
  ).catch((error: Error) => {
    throw new CommandError(error.message)
  })

  const address = `127.0.0.1:${receiver.port}`
  console.log(`receiver https://${name} on ${address}`)
  console.log('start the service with these options, besides your own:')
  console.log(
    `  NODE_EXTRA_CA_CERTS='${join(folder, 'authority.pem')}' npm start -- --receiver ${name}=${address}`,
  )
  console.log(`create a webhook with the url https://${name}/… and type its secret here`)

  createInterface({ input: process.stdin }).on('line', (line) => {
    const isSecret = /^[0-9a-f]{64}$/.test(line.trim())
    if (isSecret) secrets.push(line.trim())
    console.log(isSecret ? 'secret added' : 'not a secret: 64 lower-case hex characters')
  })
})

/** Whether the signature is valid with any of the secrets. */
async function signatureOf(
  headers: IncomingHttpHeaders,
  body: Buffer,
  secrets: readonly string[],
): Promise<string> {
  if (secrets.length === 0) return 'unchecked (no secret yet)'
  const raw = new Uint8Array(body)
  const states = secrets.map(async (secret) => {
    const found = await verifyWebhook(raw, headers as Record<string, string>, secret)
    return found.valid ? 'valid' : `invalid (${found.reason})`
  })
  const all = await Promise.all(states)
  return all.includes('valid') ? 'valid' : all[0]!
}

/** Kept between runs, so that a restart of the receiver needs no restart of the service. */
function savedAuthority(folder: string): Authority {
  const [certFile, keyFile] = [join(folder, 'authority.pem'), join(folder, 'authority.key')]
  if (existsSync(certFile) && existsSync(keyFile))
    return openAuthority({
      cert: readFileSync(certFile, 'utf8'),
      key: readFileSync(keyFile, 'utf8'),
    })

  const authority = createAuthority()
  mkdirSync(folder, { recursive: true })
  writeFileSync(keyFile, authority.own.key, { mode: 0o600 })
  writeFileSync(certFile, authority.own.cert)
  return authority
}
await runCommand(command)
