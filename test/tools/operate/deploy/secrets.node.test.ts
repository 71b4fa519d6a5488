import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSecrets } from '../../../../tools/operate/local/secrets.ts'
import { DISTRIBUTED, STANDALONE } from '../../../../tools/operate/deploy/plan.ts'
import {
  missingSecrets,
  secretProblems,
  secretsFor,
} from '../../../../tools/operate/deploy/secrets.ts'

const good = {
  KEY_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  SESSION_SECRET: 'thirty-two characters, and some more',
}

it('lists every secret that is in neither place, with how to make it', () => {
  const missing = missingSecrets(DISTRIBUTED, (target) => target.env === 'edge')
  expect(missing).toHaveLength(3)
  expect(missing[0]).toMatch(/^delivery: KEY_ENCRYPTION_KEYS +make one: .*openssl rand/)
})

it('gives each Worker the secrets that it reads and no others', () => {
  const all = { ...good, SYSTEM_WEBHOOK_URL: 'https://a.example/x', GITHUB_CLIENT_ID: 'id' }
  const given = Object.fromEntries(
    DISTRIBUTED.map((target) => [target.env, Object.keys(secretsFor(target, all))]),
  )
  expect(given).toEqual({
    delivery: ['KEY_ENCRYPTION_KEYS', 'SYSTEM_WEBHOOK_URL'],
    site: ['KEY_ENCRYPTION_KEYS', 'SESSION_SECRET', 'GITHUB_CLIENT_ID'],
    edge: ['KEY_ENCRYPTION_KEYS'],
    scraper: ['SYSTEM_WEBHOOK_URL'],
  })
  expect(secretsFor(STANDALONE[0]!, all)).toEqual(all)
})

/** What a file with this text gives. */
function read(text: string): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'))
  try {
    writeFileSync(join(folder, 'file'), text)
    return readSecrets(join(folder, 'file'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe('a file of secrets', () => {
  it.each([
    ['lines', `# ours\nSESSION_SECRET=${good.SESSION_SECRET}\n`],
    ['quoted lines', `SESSION_SECRET="${good.SESSION_SECRET}"\n`],
    ['JSON', JSON.stringify({ SESSION_SECRET: good.SESSION_SECRET })],
  ])('may be %s', (_, text) => {
    expect(read(text)).toEqual({ SESSION_SECRET: good.SESSION_SECRET })
  })

  it('keeps a $ as it is', () => {
    expect(read('GITHUB_CLIENT_SECRET=a$HOME$b')).toEqual({ GITHUB_CLIENT_SECRET: 'a$HOME$b' })
  })

  it.each([
    [{ ...good }, null],
    [{ SESSION_SECRET: 'short' }, /SESSION_SECRET must have at least 32/],
    [{ KEY_ENCRYPTION_KEYS: 'k1:abcd' }, /KEY_ENCRYPTION_KEYS must be kid:base64/],
    [{ SYSTEM_WEBHOOK_URL: 'http://a.example' }, /SYSTEM_WEBHOOK_URL must be an https/],
    [{ SYSTEM_WEBHOOK_PAIRS: 'USD/BLU' }, /number 1 is none/],
    [{ SESION_SECRET: 'x' }, /SESION_SECRET is no secret/],
  ])('is checked before anything is done: %j', (secrets, problem) => {
    const problems = secretProblems(DISTRIBUTED, secrets as Record<string, string>)
    if (problem === null) expect(problems).toEqual([])
    else expect(problems.join()).toMatch(problem)
  })
})
