/**
 * `npm run receiver`: a local receiver for deliveries. HTTPS on loopback, with a certificate of its
 * own test authority; the lines it prints connect it with `npm start`.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { type Authority, createAuthority, isFresh, openAuthority } from '../support/authority.ts'
import { runCommand } from '../support/arguments.ts'
import { openReceiver, sendReply } from '../support/receiver.ts'
import { describeDelivery, verify } from './receiver/describe.ts'
import { command, isSecret, optionsOf } from './receiver/options.ts'

command.action(async (values) => {
  const { name, port, state, secret: secrets, reply } = optionsOf(values)
  const folder = resolve(state)
  const authority = savedAuthority(folder)
  const seen = new Set<string>()
  const receiver = await openReceiver(
    authority.issue([name]),
    (headers, body, response) => {
      const id = String(headers['x-service-delivery-id'])
      const signature = verify(headers, body, secrets, Math.floor(Date.now() / 1000))
      console.log(describeDelivery(headers, body, signature, seen.has(id)))
      seen.add(id)
      sendReply(response, reply ?? { kind: 'status', status: 204 })
    },
    port,
  ).catch((error: Error) => {
    console.error(error.message)
    process.exit(1)
  })

  const address = `127.0.0.1:${receiver.port}`
  console.log(`receiver https://${name} on ${address}${reply ? ` (${reply.kind})` : ''}`)
  console.log('start the service with it:')
  console.log(
    `  NODE_EXTRA_CA_CERTS=${join(folder, 'authority.pem')} npm start -- --receiver ${name}=${address}`,
  )
  console.log(`create a webhook with the url https://${name}/… and type its secret here`)

  createInterface({ input: process.stdin }).on('line', (line) => {
    const text = line.trim()
    if (isSecret(text)) secrets.push(text)
    console.log(isSecret(text) ? 'secret added' : 'not a secret: 64 lower-case hex characters')
  })
})

/** The authority is kept between runs, so that the service need not restart with the receiver. */
function savedAuthority(folder: string): Authority {
  const [certFile, keyFile] = [join(folder, 'authority.pem'), join(folder, 'authority.key')]
  if (existsSync(certFile) && existsSync(keyFile)) {
    const own = { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') }
    if (isFresh(own.cert)) return openAuthority(own)
  }

  const authority = createAuthority()
  mkdirSync(folder, { recursive: true })
  writeFileSync(keyFile, authority.own.key, { mode: 0o600 })
  writeFileSync(certFile, authority.own.cert)
  return authority
}
await runCommand(command)
