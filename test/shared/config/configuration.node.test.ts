/**
 * Every variable and secret with values that can be used and values that cannot: the start, the
 * deployment's check (of options, of wrangler.toml, of secrets) and the Workers say the same.
 */
import { readFileSync, rmSync } from 'node:fs'
import { parse, stringify } from 'smol-toml'
import { afterAll, expect, it, vi } from 'vitest'
import {
  CONFIG_NAMES,
  type ConfigName,
  configProblems,
} from '../../../tools/operate/config/check-config.ts'
import {
  ConfigError,
  parseDeadLetterQueue,
  parseMcpRequestLimit,
} from '../../../shared/config/config.ts'
import { createDateReadLimit } from '../../../shared/access/date-read-limit.ts'
import { openSubscriptionContext } from '../../../shared/subscriptions/context.ts'
import { openKeyring } from '../../../shared/crypto/keyring.ts'
import {
  inputProblems,
  secretProblems,
  variableProblems,
} from '../../../tools/operate/deploy/configuration.ts'
import { DISTRIBUTED, STANDALONE, type Target } from '../../../tools/operate/deploy/plan.ts'
import { bindingsOf } from '../../../tools/operate/start/serve.ts'
import { UsageError } from '../../../tools/support/arguments.ts'
import { readConfig } from '../../../workers/delivery/config.ts'
import { createDelivery } from '../../../workers/delivery/delivery.ts'
import { createResolver } from '../../../workers/delivery/attempt/resolver.ts'
import { createApp } from '../../../workers/edge/app.ts'
import { hasCompatibility } from '../../../workers/edge/compatibility/switch.ts'
import { deliveriesOf, systemDestination } from '../../../workers/scraper/publish/outbox.ts'
import { parseTarjetaRate } from '../../../workers/scraper/pairs/derive/crosses.ts'
import { githubApp, openAuth } from '../../../workers/site/account/auth.ts'
import { sendThroughBinding } from '../../../workers/site/mail.ts'
import { publicOrigin } from '../../../shared/config/public-origin.ts'
import { temporaryFolder } from '../../../tools/support/scratch.ts'
import { randomBytes } from '../../../tools/support/random.ts'

const stateDir = temporaryFolder()
afterAll(() => rmSync(stateDir, { recursive: true }))

const KEY = Buffer.alloc(32, 1).toString('base64')
const URL_SAFE_KEY = Buffer.alloc(33, 0xfb).toString('base64url')
const wholeUpTo = (name: string, most: number) =>
  `${name} must be a whole number from 1 to ${most}, in digits alone`
const NO_ORIGIN = (text: string) =>
  `PUBLIC_ORIGIN must be origins such as https://a.example, separated by commas, and ${text} is none`
const KEYS =
  'KEY_ENCRYPTION_KEYS must be kid:base64 of at least 32 bytes, several separated by commas, each kid of at most 32 letters or digits'
const WAITS =
  'DELIVERY_WAITS must be three whole numbers of seconds from 1 to 999999, as in 30,300,1800'
const RATE = 'TARJETA_RATE must be a fraction such as 0.30, from 0 to 2'
const MAIL = 'MAIL_FROM must be an e-mail address, alone or as Name <address>'
const HEADER = 'CLIENT_ADDRESS_HEADER must be the name of an HTTP header, such as CF-Connecting-IP'
const https = (name: string) => `${name} must be an https URL without user or fragment`
const pairAt = (place: number) =>
  `SYSTEM_WEBHOOK_PAIRS must be pairs such as USD/BLUE,USD/BNA, and number ${place} is none`

interface Row {
  good: readonly string[]
  /** Each with the sentence that refuses it. */
  bad: readonly (readonly [value: string, sentence: string])[]
  /** What each Worker that reads it does with the value; any of it throws, or logs, the sentence. */
  workers: readonly ((env: never) => unknown)[]
}

const each = (values: readonly string[], sentence: string) =>
  values.map((value) => [value, sentence] as const)

/** What wrangler.toml and the secrets say, for readers that want more than one value. */
const SOUND = {
  DB: { prepare: () => ({ bind: () => null }) },
  WEBHOOK_ADMISSION: 'open',
  DELIVERY_WAITS: '30,300,1800',
  DELIVERY_CAPACITY: '20000',
  DAILY_PRIVATE_BUDGET: '20000',
  PUBLIC_ORIGIN: 'https://a.example',
  DNS_OVER_HTTPS_URL: 'https://dns.example/dns-query',
  KEY_ENCRYPTION_KEYS: `k1:${KEY}`,
  SYSTEM_WEBHOOK_URL: 'https://a.example/x',
  DATE_READS: { limit: async () => ({ success: true }) },
  EMAIL: { send: async () => {} },
}

const context = { waitUntil() {}, passThroughOnException() {}, props: {} }
const asked = { address: '192.0.2.1', now: 0, context }
const mcpEnv = ({ MCP_REQUEST_LIMIT, DATE_READS }: Record<string, never>) => ({
  DATE_READ_LIMIT: MCP_REQUEST_LIMIT!,
  DATE_READS: DATE_READS!,
})
const delivery = readConfig as (env: never) => unknown
const management = (env: never) =>
  openSubscriptionContext(env, {
    now: 0,
    random: () => new Uint8Array(),
    requestUrl: 'https://a.test/',
  })
const outbox = (env: never) => deliveriesOf(env, [], { before: [], after: [] }, 0)
const gate = (env: never) =>
  createApp({ now: () => 0, random: randomBytes }).request(
    '/api/v2/auth/check',
    { headers: { 'x-api-key': 'inherited-key' } },
    env,
    context,
  )
const sweeper = (env: never) =>
  createDelivery({} as never)
    .scheduled({} as never, env)
    .catch((error: unknown) => {
      // The database is none: what counts is what was said before it was asked.
      if (error instanceof ConfigError) throw error
    })

const ROWS: Record<ConfigName, Row> = {
  WEBHOOK_ADMISSION: {
    good: ['open', 'closed'],
    bad: each(['Open', '', 'true', ' open'], 'WEBHOOK_ADMISSION must be closed or open'),
    workers: [delivery, management, outbox],
  },
  DELIVERY_WAITS: {
    good: ['30,300,1800', '1, 2, 3', '999999,999999,999999'],
    bad: each(
      ['', '30,300', '30,0,1800', '1000000,300,1800', '1,2,3,4', '1.5,2,3', 'a,b,c'],
      WAITS,
    ),
    workers: [delivery],
  },
  DEAD_LETTER_QUEUE: {
    good: ['deliveries-dead', 'deliveries-dead-staging'],
    bad: each(['', 'Dead', '-x', 'a b'], 'DEAD_LETTER_QUEUE must be the name of a queue'),
    workers: [(env: { DEAD_LETTER_QUEUE: string }) => parseDeadLetterQueue(env.DEAD_LETTER_QUEUE)],
  },
  DELIVERY_CAPACITY: {
    good: ['1', '20000', '1000000000'],
    bad: each(
      ['', '0', '-1', '1e3', '20.000', 'NaN', '1000000001', '1000000000000', ' 20'],
      wholeUpTo('DELIVERY_CAPACITY', 1_000_000_000),
    ),
    workers: [delivery, management, outbox],
  },
  DAILY_PRIVATE_BUDGET: {
    good: ['1', '20000', '1000000000'],
    bad: each(
      ['', '0', '-1', '20.000', '20,000', 'NaN', 'Infinity', '0x10', '1000000001'],
      wholeUpTo('DAILY_PRIVATE_BUDGET', 1_000_000_000),
    ),
    workers: [gate],
  },
  DATE_READ_LIMIT: {
    good: ['1', '20', '100000'],
    bad: each(['', '0', '2.5', 'NaN', '100001'], wholeUpTo('DATE_READ_LIMIT', 100_000)),
    workers: [(env) => createDateReadLimit()(env, asked)],
  },
  MCP_REQUEST_LIMIT: {
    good: ['1', '60', '100000'],
    bad: each(['', '0', '60.0', '100001'], wholeUpTo('MCP_REQUEST_LIMIT', 100_000)),
    workers: [(env) => createDateReadLimit('mcp:', parseMcpRequestLimit)(mcpEnv(env), asked)],
  },
  UNKNOWN_KEY_LIMIT: {
    good: ['1', '30', '100000'],
    bad: each(['', '0', '-1', '30.5', '100001'], wholeUpTo('UNKNOWN_KEY_LIMIT', 100_000)),
    workers: [gate],
  },
  CLIENT_ADDRESS_HEADER: {
    good: ['CF-Connecting-IP', 'x-real-ip'],
    bad: each(['', 'X Real IP', 'x:y', 'ñ'], HEADER),
    workers: [gate],
  },
  TARJETA_RATE: {
    good: ['0', '0.30', '0.6', '2', '2.0'],
    bad: each(['', '30', '0,30', '30%', '2.1', '3', '-0.3', '0.30000', '.3'], RATE),
    workers: [({ TARJETA_RATE }: { TARJETA_RATE: string }) => parseTarjetaRate(TARJETA_RATE)],
  },
  DNS_OVER_HTTPS_URL: {
    good: ['https://cloudflare-dns.com/dns-query', 'HTTPS://1.1.1.1/dns-query'],
    bad: each(
      ['', 'http://1.1.1.1/', '1.1.1.1', 'https://', 'https://user:pw@dns.example/'],
      https('DNS_OVER_HTTPS_URL'),
    ),
    workers: [
      ({ DNS_OVER_HTTPS_URL: url }: { DNS_OVER_HTTPS_URL: string }) =>
        createResolver({ fetch, url }),
    ],
  },
  PUBLIC_ORIGIN: {
    good: [
      '',
      'https://api.example.com, http://localhost:8787',
      'https://ñandú.ar/',
      'http://[::1]',
      'HTTPS://A.example,',
    ],
    bad: [
      ['a.example', NO_ORIGIN('a.example')],
      ['ftp://a.example', NO_ORIGIN('ftp://a.example')],
      ['https://a.example,https://b.example/x', NO_ORIGIN('https://b.example/x')],
      ['https://a b', NO_ORIGIN('https://a b')],
      ['https://user@a.example', NO_ORIGIN('https://user@a.example')],
      ['https://a_b.example', NO_ORIGIN('https://a_b.example')],
      ['https://a.example:99999', NO_ORIGIN('https://a.example:99999')],
    ],
    workers: [
      delivery,
      management,
      (env: { PUBLIC_ORIGIN: string }) => publicOrigin('https://a.example/', env.PUBLIC_ORIGIN),
    ],
  },
  MAIL_FROM: {
    good: ['', 'a@b.example', 'Cotizaciones <cuentas@b.example>'],
    bad: each(['a', 'a@b@c', 'a b@c.example', 'Name <a>', 'a@b.example, c@d.example'], MAIL),
    workers: [
      sweeper,
      (env: { MAIL_FROM: string }) =>
        env.MAIL_FROM === '' ? null : sendThroughBinding(env as never, {} as never),
    ],
  },
  COMPATIBILITY: {
    good: ['on', 'off'],
    bad: each(['', 'On', 'true'], 'COMPATIBILITY must be on or off'),
    workers: [({ COMPATIBILITY }: { COMPATIBILITY: string }) => hasCompatibility(COMPATIBILITY)],
  },
  KEY_ENCRYPTION_KEYS: {
    good: [`k1:${KEY}`, `k2:${KEY}, k1:${URL_SAFE_KEY}`, `${'k'.repeat(32)}:${KEY}`],
    bad: [
      ...each(
        [
          '',
          KEY,
          'k1:',
          `:${KEY}`,
          `k 1:${KEY}`,
          `k1:${KEY}:more`,
          `k1:${KEY},`,
          `${'k'.repeat(40)}:${KEY}`,
          `k1:${Buffer.from('short').toString('base64')}`,
        ],
        KEYS,
      ),
      [`k1:${KEY},k1:${KEY}`, 'KEY_ENCRYPTION_KEYS names a key twice'],
    ],
    workers: [
      management,
      ({ KEY_ENCRYPTION_KEYS }: { KEY_ENCRYPTION_KEYS: string }) =>
        openKeyring(KEY_ENCRYPTION_KEYS),
      (env) => readConfig(env).keyring(),
    ],
  },
  SESSION_SECRET: {
    good: ['s'.repeat(32)],
    bad: each(['', 'short'], 'SESSION_SECRET must have at least 32 characters'),
    workers: [
      (env) => {
        try {
          openAuth({ env, origin: 'https://a.example', deliver: async () => {} })
        } catch (error) {
          // The page says in Spanish that accounts are closed; the log says why.
          expect(error).toMatchObject({ status: 503 })
        }
      },
    ],
  },
  SYSTEM_WEBHOOK_URL: {
    good: ['', 'https://example.com/hook'],
    bad: each(
      ['http://a.example/', 'no url', 'https://u:p@a.example/', 'https://a.example/#x'],
      https('SYSTEM_WEBHOOK_URL'),
    ),
    workers: [delivery, systemDestination as (env: never) => unknown],
  },
  SYSTEM_WEBHOOK_PAIRS: {
    good: ['', 'USD/BLUE,usd/bna', 'ARG/CER'],
    bad: [
      ['USD/BLUE,USD/CER', pairAt(2)],
      ['USD/BLUE,', pairAt(2)],
      ['https://a.example/secret', pairAt(1)],
    ],
    workers: [systemDestination as (env: never) => unknown],
  },
  GITHUB_CLIENT_ID: {
    good: ['', 'Iv1.0123456789'],
    bad: each(['two words', 'a\n'], 'GITHUB_CLIENT_ID must be text without spaces'),
    workers: [githubApp as (env: never) => unknown],
  },
  GITHUB_CLIENT_SECRET: {
    good: ['', '0123456789abcdef'],
    bad: each(['two words', 'ñ'], 'GITHUB_CLIENT_SECRET must be text without spaces'),
    workers: [githubApp as (env: never) => unknown],
  },
}

const CASES = Object.entries(ROWS).flatMap(([name, { good, bad }]) => [
  ...good.map((value) => ({ name: name as ConfigName, value, sentence: null })),
  ...bad.map(([value, sentence]) => ({ name: name as ConfigName, value, sentence })),
])

it('has a row for every variable and secret', () => {
  expect(Object.keys(ROWS).toSorted()).toEqual(CONFIG_NAMES.toSorted())
})

it.each(CASES)('$name=$value: $sentence', async ({ name, value, sentence }) => {
  const expected = sentence === null ? [] : [sentence]
  expect(start(name, value), 'npm start').toEqual(expected)
  expect(deploy(name, value), 'npm run deploy').toEqual(expected)
  for (const [index, worker] of ROWS[name].workers.entries())
    expect(await said(worker, { ...SOUND, [name]: value }), `Worker ${index}`).toEqual(expected)
})

it('names everything that is missing or wrong at once', () => {
  const values = { ...SOUND, TARJETA_RATE: 'x' }
  const problems = configProblems(values, ['TARJETA_RATE', 'SESSION_SECRET', 'TARJETA_RAT'])
  expect(problems).toEqual([
    RATE,
    'SESSION_SECRET is missing',
    'TARJETA_RAT is no configuration variable',
  ])
})

it('no mail without the origin to which its links lead', () => {
  const values = { MAIL_FROM: 'a@b.example', PUBLIC_ORIGIN: '' }
  const sentence =
    'MAIL_FROM needs PUBLIC_ORIGIN, such as https://a.example: mailed links lead there'
  expect(configProblems(values, Object.keys(values))).toEqual([sentence])
  const options = { stateDir, vars: values, receivers: {}, port: 8787 } as never
  expect(() => bindingsOf(options, standaloneVars, 'token')).toThrow(new UsageError(sentence))
})

it('never repeats a secret', () => {
  const texts = ['https://hooks.example/T0/token', 'k1:secret', 'a secret']
  const names = CONFIG_NAMES.filter((name) => /KEY|SECRET|SYSTEM|GITHUB/.test(name))
  for (const text of texts)
    for (const name of names)
      expect(configProblems({ [name]: text }, [name]).join()).not.toContain(text)
})

const toml = readFileSync('wrangler.toml', 'utf8')
const standaloneVars = (parse(toml) as { env: Record<string, { vars: Vars }> }).env['standalone']!
  .vars
const plain = { databaseId: 'd', namespaceId: 'n', suffix: '', domains: [], vars: {} }
type Vars = Record<string, unknown>

/** wrangler.toml with the variables of every Worker changed. */
function tomlWith(change: (vars: Vars) => void): string {
  const document = parse(toml) as { env: Record<string, { vars: Vars }> }
  for (const { vars } of Object.values(document.env)) change(vars)
  return stringify(document)
}

it('the deployment looks at what stands in wrangler.toml, and says which Workers have it', () => {
  const changed = tomlWith((vars) => {
    if ('DATE_READ_LIMIT' in vars) vars['DATE_READ_LIMIT'] = 20
    delete vars['DELIVERY_WAITS']
    if ('TARJETA_RATE' in vars) vars['TARJETA_RAT'] = '0.30'
  })
  expect(variableProblems(changed, plain, DISTRIBUTED)).toEqual([
    'delivery: DELIVERY_WAITS is missing',
    'site, edge: DATE_READ_LIMIT must be a text, in quotes',
    'scraper: TARJETA_RAT is no configuration variable',
  ])
  expect(variableProblems(toml, plain, [...DISTRIBUTED, ...STANDALONE])).toEqual([])
})

it('the deployment refuses a variable that two of its Workers have with different values', () => {
  const document = parse(toml) as { env: Record<string, { vars: Vars }> }
  document.env['site']!.vars['DELIVERY_CAPACITY'] = '30000'
  document.env['standalone']!.vars['DELIVERY_WAITS'] = '1,2,3'
  expect(variableProblems(stringify(document), plain, DISTRIBUTED)).toEqual([
    'delivery, site, edge, scraper: DELIVERY_CAPACITY must be the same in all of them',
  ])
})

/** What `npm start -- --var NAME=VALUE` says. */
function start(name: string, value: string): string[] {
  try {
    const vars = { PUBLIC_ORIGIN: 'https://a.example', [name]: value }
    const options = { stateDir, vars, receivers: {} } as never
    bindingsOf(options, standaloneVars, 'token')
    return []
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return error.message.split('\n')
  }
}

/** What a deployment says of a value, wherever it stands; the same everywhere. */
function deploy(name: string, value: string): string[] {
  const targets = [...DISTRIBUTED, ...STANDALONE]
  const isSecret = targets.some(({ secrets, optionalSecrets }: Target) =>
    [...secrets, ...optionalSecrets].includes(name),
  )
  if (isSecret) return secretProblems(targets, { [name]: value })

  const inOptions = { ...plain, vars: { [name]: value } }
  const withName = tomlWith((vars) => {
    vars['PUBLIC_ORIGIN'] = 'https://a.example'
    vars[name] = value
  })
  const byOption = variableProblems(withName, inOptions, targets)
  expect(inputProblems(withName, { ...inOptions, targets }, {}).join()).not.toContain(
    'is no variable',
  )
  expect(variableProblems(withName, plain, targets)).toEqual(byOption)
  return byOption.map((line) => line.replace(/^[a-z, ]+: /, ''))
}

/** The sentences that a Worker's reader throws or logs. */
async function said(worker: (env: never) => unknown, env: object): Promise<string[]> {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const sentences: string[] = []
  try {
    await worker(env as never)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    sentences.push(error.message)
  } finally {
    for (const [line] of log.mock.calls) {
      const { kind, message } = JSON.parse(String(line)) as { kind?: string; message?: string }
      if (kind === 'ConfigError' && message !== undefined) sentences.push(message)
    }
    log.mockRestore()
  }
  return sentences
}
