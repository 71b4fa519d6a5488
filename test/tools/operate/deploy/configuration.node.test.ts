import { readFileSync, writeFileSync } from 'node:fs'
import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { CRONS } from '../../../../shared/cron.ts'
import {
  deployedConfiguration,
  type Deployment,
  inputProblems,
  originsOf,
} from '../../../../tools/operate/deploy/configuration.ts'
import { readSecrets } from '../../../../tools/operate/local/secrets.ts'
import { openScratch } from '../../../../tools/support/scratch.ts'
import { TARGETS } from '../../../../tools/operate/deploy/plan.ts'

const toml = readFileSync('wrangler.toml', 'utf8')
const plain = { suffix: '', domains: [] as string[], vars: {} }
const staging = { ...plain, suffix: '-staging' }
const local = { databaseId: 'cotizaciones', namespaceId: 'board' }
const deployed = (deployment: Deployment, ids = local, from = toml) =>
  deployedConfiguration(from, deployment, ids)

/** The environments of a configuration, without a type: each test compares what it reads. */
const environments = (configuration: unknown) => (configuration as { env: Record<string, any> }).env
const WORKERS = environments(parse(toml))

describe('the deployed configuration', () => {
  const text = JSON.stringify(deployed(staging, { databaseId: 'd-1', namespaceId: 'k-1' }))

  it('has the account’s identifiers, and the suffix on everything with a name', () => {
    for (const has of [
      '"database_id":"d-1"',
      '"id":"k-1"',
      '"service":"cotizaciones-staging-site"',
      '"script_name":"cotizaciones-staging-edge"',
      '"name":"cotizaciones-staging"',
    ])
      expect(text).toContain(has)
    expect(text).not.toMatch(/"queue":"[a-z-]+(?<!-staging)"/)
    expect(text).not.toMatch(/"(database_name|database_id)":"cotizaciones"|"id":"board"/)
    // Workers with the same id of a rate limit share its count.
    expect(text).toMatch(/"namespace_id":"1001\d{4}"/)
    expect(text).not.toContain('"namespace_id":"1001"')
  })

  it('differs from wrangler.toml, without a suffix, only in variables and required secrets', () => {
    const asked = environments(deployed(plain))
    for (const [name, { secrets: _, vars, ...environment }] of Object.entries(asked)) {
      expect(environment, name).toEqual(WORKERS[name])
      expect(vars).toEqual({})
    }
    expect(asked['site'].secrets).toEqual({ required: ['KEY_ENCRYPTION_KEYS', 'SESSION_SECRET'] })
  })

  it('gives the domains to the edge, and their names to all Workers', () => {
    const env = environments(deployed({ ...plain, domains: ['c.example'] }))
    expect(env['edge'].routes).toEqual([{ pattern: 'c.example', custom_domain: true }])
    expect(env['edge'].workers_dev).toBe(false)
    expect(env['scraper'].routes).toBeUndefined()
    for (const name of ['delivery', 'site'])
      expect(env[name].vars['PUBLIC_ORIGIN']).toBe('https://c.example')
    const vars = { PUBLIC_ORIGIN: 'https://e.example' }
    expect(originsOf(toml, { ...plain, domains: ['c.example'], vars })).toBe('https://e.example')
  })

  it('gives staging no address of production', () => {
    const theirs = toml
      .replaceAll(/# (\[vars\]|PUBLIC_ORIGIN = )/g, '$1')
      .replace('cotizaciones.example', 'c.example')
      .replace('[env.edge]', '[env.edge]\nroutes = ["c.example/*"]')
    expect(JSON.stringify(deployed(staging, local, theirs))).not.toContain('c.example')
    expect(JSON.stringify(deployed(plain, local, theirs))).toContain('c.example')
  })

  it('gives variables to every Worker, first from the command line, and knows what is missing', () => {
    const vars = { WEBHOOK_ADMISSION: 'open' }
    const written = toml.replace('# [vars]', '[vars]\nWEBHOOK_ADMISSION = "closed"')
    const env = environments(deployed({ ...plain, vars }, local, written))
    expect(env['site'].vars['WEBHOOK_ADMISSION']).toBe('open')
    expect(env['delivery'].vars['WEBHOOK_ADMISSION']).toBe('open')
    expect(inputProblems(toml, plain, { SESION_SECRET: 'x' })).toEqual([
      'SESION_SECRET is no secret',
      expect.stringContaining('PUBLIC_ORIGIN is missing: --domain HOST, or --var'),
    ])
  })
})

describe('wrangler.toml', () => {
  it('has an environment for each Worker that is deployed', () => {
    expect(TARGETS.map(({ env }) => env).toSorted()).toEqual(Object.keys(WORKERS).toSorted())
  })

  it('triggers each Worker with the crons that it handles', () => {
    const crons = Object.entries(WORKERS).map(([name, { triggers }]) => [name, triggers?.crons])
    expect(Object.fromEntries(crons)).toEqual({
      scraper: [CRONS.cycle, CRONS.files],
      delivery: [CRONS.sweep],
    })
  })

  it('keeps logs of all Workers, complete logs of cycles and deliveries, and no token of a sign-in link', () => {
    const { edge, site, scraper, delivery } = WORKERS
    for (const { observability } of [edge, site])
      expect(observability).toMatchObject({ enabled: true, redact_query_string: true })
    for (const { observability } of [scraper, delivery])
      expect(observability).toEqual({ enabled: true, head_sampling_rate: 1 })
    // Receivers in the operator's own zone are reached like any other host.
    expect(delivery.compatibility_flags).toContain('global_fetch_strictly_public')
  })

  it('gives the site the rate limits of the edge, so that both count together', () => {
    expect(WORKERS['site'].ratelimits).toHaveLength(2)
    expect(WORKERS['edge'].ratelimits).toEqual(expect.arrayContaining(WORKERS['site'].ratelimits))
  })

  it('gives only the edge an address of its own', () => {
    expect(parse(toml)['workers_dev']).toBe(false)
    const open = Object.keys(WORKERS).filter((name) => WORKERS[name].workers_dev)
    expect(open).toEqual(['edge'])
  })
})

it.each(['# ours\nGITHUB_CLIENT_SECRET="a$HOME$b"\n', '{"GITHUB_CLIENT_SECRET":"a$HOME$b"}'])(
  'a file of secrets has lines or JSON, without expansion of variables: %j',
  (text) => {
    using scratch = openScratch()
    writeFileSync(scratch.file('secrets'), text)
    expect(readSecrets(scratch.file('secrets'))).toEqual({ GITHUB_CLIENT_SECRET: 'a$HOME$b' })
  },
)
