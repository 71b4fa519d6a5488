/**
 * Every variable and secret with usable and unusable values: the start, the deployment's checks (of
 * options, wrangler.toml and secrets) and the Workers must agree.
 */
import { readFileSync, rmSync } from 'node:fs'
import { parse, stringify } from 'smol-toml'
import { afterAll, expect, it, vi } from 'vitest'
import { ConfigError, PARSERS } from '../../../shared/config/config.ts'
import { publicOrigin } from '../../../shared/config/public-origin.ts'
import { openSubscriptionContext } from '../../../shared/subscriptions/context.ts'
import {
  CONFIG_NAMES,
  type ConfigName,
  configProblems,
} from '../../../tools/operate/check-config.ts'
import { inputProblems } from '../../../tools/operate/deploy/configuration.ts'
import { TARGETS } from '../../../tools/operate/deploy/plan.ts'
import { configurationOf } from '../../../tools/operate/start/serve.ts'
import { UsageError } from '../../../tools/support/arguments.ts'
import { temporaryFolder } from '../../../tools/support/scratch.ts'
import { createResolver } from '../../../workers/delivery/attempt/resolver.ts'
import { readConfig } from '../../../workers/delivery/config.ts'
import { deliveriesOf, systemDestination } from '../../../workers/scraper/publish/deliveries.ts'
import { githubApp } from '../../../workers/site/account/auth.ts'

const stateDir = temporaryFolder()
afterAll(() => rmSync(stateDir, { recursive: true }))

const KEY = Buffer.alloc(32, 1).toString('base64')
const URL_SAFE_KEY = Buffer.alloc(33, 0xfb).toString('base64url')

interface Row {
  /** The sentence that refuses an unusable value, without the name. */
  rule: string | ((value: string) => string)
  good: readonly string[]
  bad: readonly string[]
  /** Functions of Workers that throw or log the sentence. For the edge see unavailable.test.ts. */
  workers?: readonly ((env: typeof SOUND) => unknown)[]
}

/** Variables and secrets for functions that need more than one value. */
const SOUND = {
  // None of them may touch the database.
  DB: {} as D1Database,
  MAIL_FROM: '',
  WEBHOOK_ADMISSION: 'open',
  DELIVERY_WAITS: '30,300,1800',
  DELIVERY_CAPACITY: '20000',
  PUBLIC_ORIGIN: 'https://a.example',
  DNS_OVER_HTTPS_URL: 'https://dns.example/dns-query',
  KEY_ENCRYPTION_KEYS: `k1:${KEY}`,
  SYSTEM_WEBHOOK_URL: 'https://a.example/x',
  GITHUB_CLIENT_ID: 'id',
  GITHUB_CLIENT_SECRET: 'secret',
}

const resolver = (env: typeof SOUND) => createResolver(fetch, env)
const asked = { now: 0, random: () => new Uint8Array(), requestUrl: 'https://a.test/' }
const management = (env: typeof SOUND) => openSubscriptionContext(env, asked)
const outbox = (env: typeof SOUND) => deliveriesOf(env, [], { before: [], after: [] }, 0)

const HTTPS = 'must be an https URL without user or fragment'

const ROWS: Record<ConfigName, Row> = {
  WEBHOOK_ADMISSION: {
    rule: 'must be closed or open',
    good: ['open', 'closed'],
    bad: ['Open', '', 'true', ' open'],
    workers: [readConfig, management, outbox],
  },
  DELIVERY_WAITS: {
    rule: 'must be three whole numbers of seconds from 1 to 999999, as in 30,300,1800',
    good: ['30,300,1800', '1, 2, 3', '999999,999999,999999'],
    bad: ['', '30,300', '30,0,1800', '1000000,300,1800', '1,2,3,4', '1.5,2,3'],
    workers: [readConfig],
  },
  DELIVERY_CAPACITY: {
    ...countUpTo(1_000_000_000, '-1', '1e3', '20.000', 'NaN', '0x10', '1000000000000', ' 20'),
    workers: [readConfig, management, outbox],
  },
  DAILY_PRIVATE_BUDGET: countUpTo(1_000_000_000),
  DATE_READ_LIMIT: countUpTo(100_000),
  MCP_REQUEST_LIMIT: countUpTo(100_000),
  UNKNOWN_KEY_LIMIT: countUpTo(100_000),
  CLIENT_ADDRESS_HEADER: {
    rule: 'must be the name of an HTTP header, such as CF-Connecting-IP',
    good: ['CF-Connecting-IP', 'x-real-ip'],
    bad: ['', 'X Real IP', 'x:y', 'ñ'],
  },
  TARJETA_RATE: {
    rule: 'must be a fraction such as 0.30, from 0 to 2',
    good: ['0', '0.30', '2.0'],
    bad: ['', '30', '0,30', '30%', '2.1', '3', '-0.3', '0.30000', '.3'],
  },
  DNS_OVER_HTTPS_URL: {
    rule: HTTPS,
    good: ['https://cloudflare-dns.com/dns-query', 'HTTPS://1.1.1.1/dns-query'],
    bad: ['', 'http://1.1.1.1/', '1.1.1.1', 'https://', 'https://user:pw@dns.example/'],
    workers: [resolver],
  },
  PUBLIC_ORIGIN: {
    rule: (value) =>
      `must be origins such as https://a.example, separated by commas, and ${value.split(',').at(-1)} is none`,
    good: [
      '',
      'https://api.example.com, http://localhost:8787',
      'https://ñandú.ar/',
      'http://[::1]',
    ],
    bad: [
      'https://a.example,https://b.example/x',
      'a.example',
      'ftp://a.example',
      'https://a b',
      'https://user@a.example',
      'https://a_b.example',
      'https://a.example:99999',
    ],
    workers: [
      readConfig,
      management,
      ({ PUBLIC_ORIGIN }) => publicOrigin('https://a.example/', PUBLIC_ORIGIN),
    ],
  },
  MAIL_FROM: {
    rule: 'must be an e-mail address, alone or as Name <address>',
    good: ['', 'a@b.example', 'Cotizaciones <cuentas@b.example>'],
    bad: ['a', 'a@b@c', 'a b@c.example', 'Name <a>', 'a@b.example, c@d.example'],
    workers: [management],
  },
  COMPATIBILITY: { rule: 'must be on or off', good: ['on', 'off'], bad: ['', 'On', 'true'] },
  KEY_ENCRYPTION_KEYS: {
    rule: (value) =>
      value === `k1:${KEY},k1:${KEY}`
        ? 'names a key twice'
        : 'must be kid:base64 of at least 32 bytes, several separated by commas, each kid of at most 32 letters or digits',
    good: [`k1:${KEY}`, `k2:${KEY}, k1:${URL_SAFE_KEY}`, `${'k'.repeat(32)}:${KEY}`],
    bad: [
      '',
      KEY,
      'k1:',
      `:${KEY}`,
      `k 1:${KEY}`,
      `k1:${KEY}:more`,
      `k1:${KEY},`,
      `${'k'.repeat(40)}:${KEY}`,
      `k1:${btoa('k'.repeat(31))}`,
      `k1:${KEY},k1:${KEY}`,
    ],
    workers: [management, (env) => readConfig(env).keyring()],
  },
  SESSION_SECRET: {
    rule: 'must have at least 32 characters',
    good: ['s'.repeat(32)],
    bad: ['', 's'.repeat(31)],
  },
  SYSTEM_WEBHOOK_URL: {
    rule: HTTPS,
    good: ['', 'https://example.com/hook'],
    bad: ['http://a.example/', 'no url', 'https://a.example/#x'],
    workers: [systemDestination],
  },
  SYSTEM_WEBHOOK_PAIRS: {
    rule: (value) =>
      `must be pairs such as USD/BLUE,USD/BNA, and number ${value.split(',').length} is none`,
    good: ['', 'USD/BLUE,usd/bna', 'ARG/CER'],
    bad: ['USD/BLUE,USD/CER', 'USD/BLUE,', 'https://a.example/secret'],
    workers: [systemDestination],
  },
  GITHUB_CLIENT_ID: oneWord(),
  GITHUB_CLIENT_SECRET: oneWord(),
}

function countUpTo(most: number, ...bad: string[]): Row {
  const rule = `must be a whole number from 1 to ${most}, in digits alone`
  return { rule, good: ['1', `${most}`], bad: ['', '0', `${most + 1}`, ...bad] }
}

function oneWord(): Row {
  const rule = 'must be text without spaces'
  return {
    rule,
    good: ['', 'Iv1.0123456789'],
    bad: ['two words', 'a\n', 'ñ'],
    workers: [githubApp],
  }
}

const CASES = Object.entries(ROWS).flatMap(([key, { rule, good, bad }]) => {
  const name = key as ConfigName
  const sentenceOf = typeof rule === 'string' ? () => rule : rule
  return [
    ...good.map((value) => ({ name, value, sentence: null })),
    ...bad.map((value) => ({ name, value, sentence: `${name} ${sentenceOf(value)}` })),
  ]
})

it('has a row for every variable and secret', () => {
  expect(Object.keys(ROWS).toSorted()).toEqual(CONFIG_NAMES.toSorted())
})

it.each(CASES)('$name=$value: $sentence', ({ name, value, sentence }) => {
  const expected = sentence === null ? [] : [sentence]
  expect(start(name, value), 'npm start').toEqual(expected)
  expect(deploy(name, value), 'npm run deploy').toEqual(expected)
  for (const worker of ROWS[name].workers ?? [])
    expect(said(worker, { ...SOUND, [name]: value }), String(worker)).toEqual(expected)
})

it('no mail without the origin to which its links lead', () => {
  const values = { MAIL_FROM: 'a@b.example', PUBLIC_ORIGIN: '' }
  const sentence =
    'MAIL_FROM needs PUBLIC_ORIGIN, such as https://a.example: mailed links lead there'
  expect(configProblems(values, Object.keys(values))).toEqual([sentence])
  const options = { stateDir, vars: values, port: 8787 }
  expect(() => configurationOf(options, {})).toThrow(new UsageError(sentence))
})

it('never repeats a secret', () => {
  const texts = ['https://hooks.example/T0/token', 'k1:secret', 'a secret']
  const names = CONFIG_NAMES.filter((name) => /KEY|SECRET|SYSTEM|GITHUB/.test(name))
  for (const text of texts)
    for (const name of names)
      expect(configProblems({ [name]: text }, [name]).join()).not.toContain(text)
})

const toml = readFileSync('wrangler.toml', 'utf8')
/** Options of a deployment whose configuration is otherwise complete. */
const plain = { suffix: '', domains: ['a.example'], vars: {} }

const tomlWith = (vars: Record<string, unknown>) => stringify({ ...parse(toml), vars })

it('the deployment checks the values in wrangler.toml', () => {
  const written = { DATE_READ_LIMIT: 20, TARJETA_RAT: '0.30', SESSION_SECRET: 's'.repeat(32) }
  expect(inputProblems(tomlWith(written), plain, {})).toEqual([
    'SESSION_SECRET is a secret',
    'DATE_READ_LIMIT must be a text, in quotes',
    'TARJETA_RAT is no configuration variable',
  ])
  expect(inputProblems(toml, plain, {})).toEqual([])
})

it('every variable has the default of docs/configuration.md', () => {
  const [page] = readFileSync('docs/configuration.md', 'utf8').split('| secret') as [string]
  const rows = [...page.matchAll(/^\| `(\w+)` +\| `?([\w,.-]+)`? /gm)]
  expect(rows).toHaveLength(10)
  for (const [, name, text] of rows) {
    const read = PARSERS[name as keyof typeof PARSERS]
    expect(read(undefined, name!), name).toEqual(read(text, name!))
  }
})

/** The output of `npm start -- --var NAME=VALUE`. */
function start(name: string, value: string): string[] {
  try {
    const vars = { PUBLIC_ORIGIN: 'https://a.example', [name]: value }
    configurationOf({ stateDir, vars, port: 8787 }, {})
    return []
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return error.message.split('\n')
  }
}

/** A deployment's sentence about a value, the same wherever the value is set. */
function deploy(name: string, value: string): string[] {
  const isSecret = TARGETS.some(({ secrets, optionalSecrets }) =>
    [...secrets, ...optionalSecrets].includes(name),
  )
  if (isSecret) return inputProblems(toml, plain, { [name]: value })

  const here = { ...plain, domains: [] }
  const vars = { PUBLIC_ORIGIN: 'https://a.example', [name]: value }
  const sentences = inputProblems(tomlWith(vars), here, {})
  expect(inputProblems(toml, { ...here, vars }, {})).toEqual(sentences)
  return sentences.filter(
    (line) => !(name === 'PUBLIC_ORIGIN' && line.startsWith('PUBLIC_ORIGIN is missing')),
  )
}

/** The sentences that a Worker's function throws or logs. */
function said(worker: (env: typeof SOUND) => unknown, env: typeof SOUND): string[] {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const sentences: string[] = []
  try {
    worker(env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    sentences.push(error.message)
  }
  const logged = log.mock.calls.map(([line]) => (JSON.parse(line) as { message: string }).message)
  log.mockRestore()
  return [...sentences, ...logged]
}
