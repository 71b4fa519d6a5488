import { expect, it, vi } from 'vitest'
import { MINUTE_MS } from '../../shared/argentine-time.ts'
import { sendThroughBinding } from '../../workers/site/mail.ts'
import { changeRows, countRows, readRows } from '../support/rows.ts'
import { textOf } from './page.ts'
import { cookieOf, openSite, ORIGIN, type TestSite } from '../support/site.ts'
import { tally, times } from '../support/account-client.ts'

const ANA = { email: 'ana@ejemplo.com.ar' }

/** A site from which a link was requested. */
async function asked(site = openSite()) {
  await site.post('/cuenta/entrar', ANA)
  const open = (token = site.lastToken()) =>
    site.fetch(`/cuenta/enlace?token=${encodeURIComponent(token)}`)
  const press = (enlace = site.lastToken(), headers = {}) =>
    site.post('/cuenta/enlace', { enlace }, headers)
  return { site, open, press }
}

it('a sign-in link is mailed, opens its page any number of times, and its button signs in', async () => {
  const { site, open, press } = await asked()
  expect(site.mails).toMatchObject([{ to: ANA.email }])
  expect(site.mails[0]!.text).toContain(`${ORIGIN}/cuenta/enlace?token=${site.lastToken()}`)
  expect(JSON.stringify(await readRows('verifications'))).not.toContain(site.lastToken())

  for (let i = 0; i < 3; i++) {
    const page = await open()
    expect([page.status, page.headers.getSetCookie()]).toEqual([200, []])
    expect(await page.text()).toContain(ANA.email)
  }
  const entered = await press()
  expect([entered.status, entered.headers.get('Location')]).toEqual([303, '/cuenta'])
  const [cookie = '', ...others] = entered.headers.getSetCookie()
  expect(others).toEqual([])
  expect(cookie).toMatch(/^__Host-session=/)
  const parts = cookie.split('; ').slice(1).toSorted()
  expect(parts).toEqual(['HttpOnly', 'Max-Age=1209600', 'Path=/', 'SameSite=Lax', 'Secure'])
  const account = await site.fetch('/cuenta', { headers: { Cookie: cookieOf(entered) } })
  expect(await account.text()).toContain(ANA.email)
  expect(await readRows('sessions')).toMatchObject([{ ipAddress: null, userAgent: null }])
})

it('a sign-in link works once, even when pressed many times at once', async () => {
  const { open, press } = await asked()
  expect(tally(await times(10, () => press()))).toEqual({ 303: 1, 410: 9 })
  expect(await countRows('sessions')).toBe(1)
  const again = await open()
  expect(again.status).toBe(410)
  expect(await again.text()).toContain('ya no sirve')
})

it('a sign-in link expires after ten minutes', async () => {
  const { site, open, press } = await asked()
  const [link] = await readRows('verifications')
  const life = Number(link!.expiresAt) - Number(link!.createdAt)
  expect(Math.abs(life - 10 * MINUTE_MS)).toBeLessThan(1000)
  site.clock.now += 10 * MINUTE_MS + 1000
  expect((await open()).status).toBe(410)
  await changeRows('verifications', { expiresAt: new Date(Date.now() - 1) })
  const late = await press()
  expect([late.status, late.headers.getSetCookie()]).toEqual([410, []])
})

it.each(['', "' OR 1=1 --"])(
  'a sign-in link that was never made (%j) opens nothing',
  async (token) => {
    const { open, press } = await asked()
    expect((await open(token)).status).toBe(410)
    const entered = await press(token)
    expect([entered.status, entered.headers.getSetCookie()]).toEqual([token ? 410 : 400, []])
  },
)

it.each([
  ['https://evil.example', undefined, 'https://cotiza.example'],
  ['http://cotiza.example', 'https://cotiza.example', 'https://cotiza.example'],
  ['https://otra.example', 'https://otra.example', 'https://otra.example'],
])('a sign-in link requested at %s points to one of our origins', async (at, Origin, leads) => {
  const site = openSite({ env: { PUBLIC_ORIGIN: 'https://cotiza.example,https://otra.example' } })
  const ask = (headers: Record<string, string>) =>
    site.fetch(`${at}/cuenta/entrar`, { method: 'POST', headers, body: new URLSearchParams(ANA) })
  expect((await ask(Origin === undefined ? {} : { Origin })).status).toBe(200)
  expect(site.mails[0]!.text).toContain(`${leads}/cuenta/enlace?token=`)
  expect((await ask({ Origin: leads === at ? 'https://evil.example' : at })).status).toBe(403)
})

it('a sign-in link is in the mailbox or in the terminal, and the page says in which', async () => {
  const mailed = await textOf(openSite().post('/cuenta/entrar', ANA))
  expect(mailed).toContain('Mandamos un enlace a ana@ejemplo.com.ar')
  const local = openSite({ sendMail: async () => 'terminal' })
  const printed = await textOf(local.post('/cuenta/entrar', ANA))
  expect(printed).toContain('el enlace de ana@ejemplo.com.ar está en la terminal')
})

it('a sign-in link is not mailed without a configured origin for it', async () => {
  const send = vi.fn()
  const env = { EMAIL: { send }, MAIL_FROM: 'a@b.example', PUBLIC_ORIGIN: '' }
  const site = openSite({ env, sendMail: sendThroughBinding })
  expect((await site.post('/cuenta/entrar', ANA, { Origin: 'http://localhost' })).status).toBe(503)
  expect(send).not.toHaveBeenCalled()
})

it('a sign-in link never leads elsewhere', async () => {
  const names = ['callbackURL', 'volver', 'next', 'redirect', 'errorCallbackURL']
  const extra = Object.fromEntries(names.map((name) => [name, '//malo.example']))
  const query = new URLSearchParams(extra).toString()
  const site = openSite()
  await site.post(`/cuenta/entrar?${query}`, { ...ANA, ...extra })
  expect(site.mails[0]!.text).not.toContain('malo')
  const page = await site.fetch(`/cuenta/enlace?token=${site.lastToken()}&${query}`)
  expect(await page.text()).not.toContain('malo')
  const fields = { enlace: site.lastToken(), ...extra }
  const entered = await site.post(`/cuenta/enlace?${query}`, fields)
  expect(entered.headers.get('Location')).toBe('/cuenta')
})

/** Sends requests at once, each from another address and for another mailbox. */
const ask = (site: TestSite, count: number, addressOf: (i: number) => string, path = '') =>
  times(count, (i) => {
    const fields = { email: `p${i}-${count}@ejemplo.com` }
    return site.post(`/cuenta/entrar${path}`, fields, { 'CF-Connecting-IP': addressOf(i) })
  })
const passed = (answers: Response[]) => answers.filter(({ status }) => status < 400).length

it('asking for a link refuses a text that is no e-mail', async () => {
  const site = openSite()
  const response = await site.post('/cuenta/entrar', { email: 'a@b.com\r\nBcc: c@d.com' })
  expect(response.status).toBe(400)
  expect(await response.text()).toContain('no parece un correo')
  expect(site.mails).toEqual([])
})

it('asking for a link answers known and unknown e-mails alike', async () => {
  const site = openSite()
  await site.signIn('conocida@ejemplo.com')
  const known = await site.post('/cuenta/entrar', { email: 'conocida@ejemplo.com' })
  const unknown = await site.post('/cuenta/entrar', { email: 'otra@ejemplo.com' })
  expect(known.status).toBe(unknown.status)
  const pages = await Promise.all([known.text(), unknown.text()])
  expect(pages[0].replaceAll('conocida@', 'otra@')).toBe(pages[1])
  expect([...known.headers]).toEqual([...unknown.headers])
  expect(new Set(site.mails.map(({ subject }) => subject)).size).toBe(1)
})

it('asking for a link says that the mail could not be sent, without details', async () => {
  const site = openSite({ sendMail: () => Promise.reject(new Error('secret-smtp-detail')) })
  const response = await site.post('/cuenta/entrar', ANA)
  expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '60'])
  const text = await response.text()
  expect(text).toContain('No pudimos mandar el enlace')
  expect(text).not.toContain('secret-smtp-detail')
})

it('asking for a link sends at most 5 links an hour to one mailbox, even when requested at once from many addresses', async () => {
  const site = openSite()
  const mailbox = (i: number) => {
    const email = i % 2 ? `Ana+${i}@ejemplo.com.ar` : ANA.email
    return site.post('/cuenta/entrar', { email }, { 'CF-Connecting-IP': `192.0.2.${i}` })
  }
  const answers = await times(12, mailbox)
  expect(tally(answers)).toEqual({ 200: 5, 429: 7 })
  const refused = answers.find(({ status }) => status === 429)!
  const wait = Number(refused.headers.get('Retry-After'))
  expect(wait).toBeGreaterThanOrEqual(1)
  expect(wait).toBeLessThanOrEqual(3600)
  expect(await refused.text()).toContain('Mandamos hasta 5 enlaces por hora a un correo')
  expect(site.mails).toHaveLength(5)
  expect(JSON.stringify(await readRows('signInQuotas'))).not.toMatch(/ana|192\.0/i)

  expect((await site.post('/cuenta/entrar', { email: 'otra@ejemplo.com' })).status).toBe(200)
  site.clock.now += 60 * MINUTE_MS
  expect((await mailbox(99)).status).toBe(200)
})

it.each<[network: string, passing: number, addressOf: (i: number) => string, path?: string]>([
  ['IPv4 address', 10, (i) => (i % 2 ? '192.0.2.7' : '::ffff:192.0.2.7')],
  ['IPv6 /64', 10, (i) => (i % 2 ? '2001:db8::1' : '2001:DB8:0:0:ffff::2')],
  ['pair of IPv4 addresses', 20, (i) => (i % 2 ? '::ffff:192.0.2.1' : '::ffff:198.51.100.9')],
  ['IPv6 /48, whatever the /64', 15, (i) => `2001:db8:1:${i.toString(16)}::1`],
  ['IPv4 address to GitHub', 20, () => '192.0.2.7', '/github'],
  ['IPv6 /48 to GitHub', 30, (i) => `2001:db8:1:${i.toString(16)}::1`, '/github'],
])('from one %s begin at most %i sign-ins', async (_, passing, addressOf, path) => {
  const site = openSite()
  const answers = await ask(site, 40, addressOf, path)
  expect(passed(answers)).toBe(passing)
  const refused = answers.find(({ status }) => status === 429)!
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1)
  expect(await countRows('verifications')).toBe(passing)
  site.clock.now += (path ? 9 : 59) * MINUTE_MS
  expect(passed(await ask(site, 1, addressOf, path))).toBe(0)
  expect(passed(await ask(site, 2, (i) => `2001:db8:${i + 2}::1`, path))).toBe(2)
})

it('asking for a link answers 503 when no session secret is configured', async () => {
  const site = openSite({ env: { SESSION_SECRET: 'short' } })
  expect((await site.post('/cuenta/entrar', ANA)).status).toBe(503)
  expect(site.mails).toEqual([])
})

const statusOf = async (site: TestSite, Cookie: string) =>
  (await site.fetch('/api/account', { headers: { Cookie } })).status

it('a sign-in ends the session that the browser had before', async () => {
  const { site, press } = await asked()
  const planted = '__Host-session=planted.value'
  expect(cookieOf(await press(undefined, { Cookie: planted }))).not.toContain('planted')
  expect(await statusOf(site, planted)).toBe(401)

  const attacker = await site.signIn('otro@ejemplo.com')
  await site.post('/cuenta/entrar', ANA)
  const mine = cookieOf(await press(undefined, { Cookie: attacker }))
  const page = await site.fetch('/cuenta', { headers: { Cookie: mine } })
  expect(await page.text()).toContain(ANA.email)
  expect(await statusOf(site, attacker)).toBe(401)
})

it('a session ends at sign-out in the database too', async () => {
  const site = openSite()
  const cookie = await site.signIn()
  const fields = { token: await site.formToken(cookie) }
  const left = await site.post('/cuenta/salir', fields, { Cookie: cookie })
  expect(left.status).toBe(303)
  expect(left.headers.getSetCookie().join()).toMatch(/__Host-session=;.*Max-Age=0/)
  expect((await site.fetch('/cuenta', { headers: { Cookie: cookie } })).status).toBe(303)
  expect(await statusOf(site, cookie)).toBe(401)
  expect(await countRows('sessions')).toBe(0)
})

it('a session expires after 14 days, and opens nothing when anything of it is changed', async () => {
  const site = openSite()
  const cookie = await site.signIn()
  const [session] = await readRows('sessions')
  const life = Number(session!.expiresAt) - Number(session!.createdAt)
  expect(Math.abs(life - 14 * 24 * 60 * MINUTE_MS)).toBeLessThan(1000)
  expect(await statusOf(site, cookie)).toBe(200)
  for (const bad of [
    `${cookie.slice(0, -6)}AAAA%3D`,
    cookie.split('.')[0]!,
    '__Host-session=',
    'session=x',
  ])
    expect(await statusOf(site, bad)).toBe(401)
  await changeRows('sessions', { expiresAt: new Date(Date.now() - 1) })
  expect(await statusOf(site, cookie)).toBe(401)
})

it('the sign-in library is not reachable', async () => {
  const site = openSite()
  for (const path of ['sign-in/magic-link', 'magic-link/verify', 'get-session', 'delete-user'])
    for (const method of ['GET', 'POST']) {
      const response = await site.fetch(`/api/auth/${path}`, { method })
      expect(response.status).toBe(404)
      expect(await response.json()).toEqual({ error: 'Recurso no encontrado' })
    }
})
