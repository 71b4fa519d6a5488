import { RECEIVER } from '../grammar/values.ts'
import { setTimeout as sleep } from 'node:timers/promises'

/** The service that is asked: where it answers, and the lines that it prints for programs. */
export interface Place {
  url: string
  lines: readonly string[]
}

/** An account with a session, made as its owner would make it. */
export interface SignedUp {
  email: string
  /** `name=value` of the session's cookie. */
  cookie: string
  /** The token of the session's forms. */
  formToken: string
}

const WEBHOOKS_EACH = 2
const PATIENCE_MS = 10_000

/** Signs up: asks for a link, takes it from the service's output, presses its button. */
export async function signUp(place: Place, email: string, address: string): Promise<SignedUp> {
  const seen = place.lines.length
  await post(place, '/cuenta/entrar', { email }, { 'CF-Connecting-IP': address })
  const token = await mailedToken(place, email, seen)

  const opened = await post(place, '/cuenta/enlace', { enlace: token })
  const cookie = opened.headers.getSetCookie()[0]?.split(';')[0]
  if (!cookie) throw new Error(`no session for ${email}: ${opened.status}`)

  const page = await fetch(`${place.url}/cuenta`, { headers: { cookie } })
  const formToken = /name="token" value="([^"]+)"/.exec(await page.text())?.[1]
  if (!formToken) throw new Error(`no form in the account of ${email}`)
  return { email, cookie, formToken }
}

/** Makes a key and gives its secret. */
export async function makeKey({ url }: Place, cookie: string, name: string) {
  const response = await fetch(`${url}/api/account/keys`, {
    method: 'POST',
    headers: { cookie, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name }),
  })
  if (response.status !== 201) throw new Error(`no key: ${response.status}`)
  return (await response.json()) as { key: { id: string; prefix: string }; secret: string }
}

/** A webhook for each key, of the account that they belong to. */
export async function makeWebhooks({ url }: Place, keys: readonly string[]) {
  const made = await Promise.all(
    keys.slice(0, WEBHOOKS_EACH).map(async (key) => {
      const response = await fetch(`${url}/api/v2/webhooks`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          operationId: crypto.randomUUID(),
          url: `https://${RECEIVER}/`,
          currency: 'USD',
          origin: 'BLUE',
        }),
      })
      if (response.status !== 201) throw new Error(`no webhook: ${response.status}`)
      return (await response.json()) as { webhook: { id: string; version: number } }
    }),
  )
  return made.map(({ webhook }) => webhook)
}

export async function revokeKey({ url }: Place, cookie: string, id: string): Promise<void> {
  const init = { method: 'DELETE', headers: { cookie } }
  const response = await fetch(`${url}/api/account/keys/${id}`, init)
  if (!response.ok) throw new Error(`the key was not revoked: ${response.status}`)
}

async function post(
  { url }: Place,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> {
  const body = new URLSearchParams(fields)
  return fetch(url + path, { method: 'POST', headers, body, redirect: 'manual' })
}

/** `link EMAIL URL` is a line of `npm start`. */
async function mailedToken({ lines }: Place, email: string, from: number): Promise<string> {
  for (let waited = 0; waited < PATIENCE_MS; waited += 10) {
    const line = lines.slice(from).find((line) => line.startsWith(`link ${email} `))
    const token = line && new URL(line.split(' ')[2]!).searchParams.get('token')
    if (token) return token
    await sleep(10)
  }
  throw new Error(`no link for ${email}`)
}
