import { readFileSync } from 'node:fs'
import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { deployedConfiguration } from '../../../tools/deploy/configuration.ts'
import { DISTRIBUTED, STANDALONE } from '../../../tools/deploy/plan.ts'
import { missingSecrets } from '../../../tools/deploy/secrets.ts'

const toml = readFileSync('wrangler.toml', 'utf8')
const resources = { databaseId: 'd-1', namespaceId: 'k-1', suffix: '-staging' }

describe('the deployed configuration', () => {
  const text = JSON.stringify(deployedConfiguration(toml, resources))

  it('has the account’s identifiers and no local ones', () => {
    expect(text).toContain('"database_id":"d-1"')
    expect(text).toContain('"id":"k-1"')
    expect(text).not.toContain('"database_id":"cotizaciones"')
    expect(text).not.toContain('"id":"board"')
  })

  it('puts the suffix on everything with a name, so that staging shares nothing', () => {
    expect(text).not.toMatch(/"(queue|dead_letter_queue)":"[a-z-]+(?<!-staging)"/)
    expect(text).not.toMatch(/"database_name":"cotizaciones"/)
    expect(text).toContain('"service":"cotizaciones-staging-site"')
    expect(text).toContain('"script_name":"cotizaciones-staging-edge"')
    expect(text).toContain('"name":"cotizaciones-staging"')
  })

  it('without a suffix differs from wrangler.toml by the identifiers alone', () => {
    const same = { databaseId: 'cotizaciones', namespaceId: 'board', suffix: '' }
    expect(deployedConfiguration(toml, same)).toEqual(JSON.parse(JSON.stringify(parse(toml))))
  })
})

it('deploys only environments that wrangler.toml has, and each of them', () => {
  const { env } = parse(toml) as unknown as { env: Record<string, unknown> }
  expect([...DISTRIBUTED, ...STANDALONE].map((target) => target.env).toSorted()).toEqual(
    Object.keys(env).toSorted(),
  )
})

it('lists every secret that is in neither place, with how to make it', () => {
  const missing = missingSecrets(DISTRIBUTED, (target) => target.env === 'site')
  expect(missing).toHaveLength(2)
  expect(missing[0]).toMatch(/^delivery: KEY_ENCRYPTION_KEYS +make one: .*openssl rand/)
})
