import { readFileSync } from 'node:fs'
import { parse } from 'smol-toml'
import { expect, it } from 'vitest'
import { isConfigName } from '../../../tools/config/check-config.ts'
import { flatten, withDeployScript } from '../../../tools/button/flatten.ts'

const toml = readFileSync('wrangler.toml', 'utf8')
type Table = Record<string, unknown>
const one = parse(flatten(toml, 'standalone')) as Table
const { standalone } = parse(toml)['env'] as unknown as { standalone: Table }

it('is one Worker with all that standalone has, and no environment', () => {
  expect(one['env']).toBeUndefined()
  expect(one['name']).toBe('cotizaciones')
  expect(Object.keys(one)).toEqual(expect.arrayContaining(Object.keys(standalone)))
  expect(one['queues']).toEqual(standalone['queues'])
  expect(one['vars']).toEqual({ ...(standalone['vars'] as Table), DELIVERY_TRANSPORT: 'fetch' })
})

it('names no resource of an account', () => {
  expect(one['kv_namespaces']).toEqual([{ binding: 'BOARD' }])
  expect(one['d1_databases']).toEqual([
    { binding: 'DB', database_name: 'cotizaciones', migrations_dir: 'migrations' },
  ])
})

it('migrates before it deploys', () => {
  const { scripts } = JSON.parse(withDeployScript(readFileSync('package.json', 'utf8'))) as {
    scripts: Record<string, string>
  }
  expect(scripts['deploy']).toBe(
    'wrangler d1 migrations apply DB --remote && wrangler deploy && ' +
      'wrangler d1 execute DB --remote --yes --command="$(cat migrations/after/*.sql)"',
  )
  expect(scripts['predeploy']).toBeUndefined()
})

it('asks for secrets that there are (.dev.vars.example)', () => {
  const names = readFileSync('.dev.vars.example', 'utf8').matchAll(/^(?:# )?([A-Z][A-Z_]+)=$/gm)
  const secrets = [...names].map(([, name]) => name!)
  expect(secrets).toEqual(expect.arrayContaining(['KEY_ENCRYPTION_KEYS', 'SESSION_SECRET']))
  for (const name of secrets) expect(isConfigName(name), name).toBe(true)
})
