/** The whole `npm run deploy`, with the real wrangler and a stub of Cloudflare's API. */
import { execFile } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../tools/support/scratch.ts'
import { openStandIn, type StandIn } from './cloudflare-stand-in.ts'

const folder = temporaryFolder()
const secretsFile = join(folder, 'secrets.env')
writeFileSync(
  secretsFile,
  `KEY_ENCRYPTION_KEYS=k1:${Buffer.alloc(32, 1).toString('base64')}
SESSION_SECRET=${'s'.repeat(40)}
SYSTEM_WEBHOOK_URL=https://owner.example/hook
`,
)
let account: StandIn
beforeAll(async () => {
  account = await openStandIn()
})
afterAll(async () => {
  await account[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

/** Runs a program as the operator of the stub's account. Returns its output, or the failure's. */
async function run(program: string, ...args: string[]): Promise<{ code: number; output: string }> {
  const env = {
    ...process.env,
    PATH: `${process.cwd()}/node_modules/.bin:${process.env['PATH']}`,
    CLOUDFLARE_API_BASE_URL: account.url,
    CLOUDFLARE_API_TOKEN: 'token',
    CLOUDFLARE_ACCOUNT_ID: 'account',
    WRANGLER_SEND_METRICS: 'false',
    CI: '1',
  }
  try {
    const { stdout } = await promisify(execFile)(program, args, { env })
    return { code: 0, output: stdout }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, output: stdout + stderr }
  }
}

const deploy = (...args: string[]) => run('node', 'tools/operate/deploy.ts', ...args)

const writesSince = (start: number) =>
  account.calls.slice(start).filter((call) => !call.startsWith('GET '))

function secretsOf(worker: string): string[] {
  const { bindings } = account.workers.get(worker)!
  return bindings.filter(({ type }) => type === 'secret_text').map(({ name }) => name)
}

it.each([
  [['--suffix', 'Staging 2'], /--suffix is a word/],
  [['--domain', 'https://a.example'], /--domain is a host name/],
  [['--dry-run'], /PUBLIC_ORIGIN is missing: --domain HOST, or --var PUBLIC_ORIGIN=/],
])('refuses %j', async (args, problem) => {
  const { code, output } = await deploy(...args)
  expect(code).not.toBe(0)
  expect(output).toMatch(problem)
})

it('a dry run bundles and shows commands, and sends the account no request', async () => {
  const { output } = await deploy('--dry-run', '--domain', 'c.example')
  for (const command of [
    'd1 list --json',
    'secret list --name cotizaciones-delivery',
    'd1 create cotizaciones --location enam',
    'kv namespace create cotizaciones-board',
    'queues create deliveries',
    'd1 migrations apply cotizaciones --remote',
    'deploy --config wrangler.deploy.json --env scraper',
  ])
    expect(output).toContain(`$ wrangler ${command}`)
  expect(output).toContain('dry run: nothing was touched')
  expect(account.calls).toEqual([])
})

describe('on a new account', () => {
  it('refuses without secrets, before it creates anything', async () => {
    const { code, output } = await deploy('--domain', 'c.example')
    expect(code).toBe(1)
    expect(output).toContain(
      'these secrets are missing: KEY_ENCRYPTION_KEYS, SESSION_SECRET: give --secrets-file FILE',
    )
    expect(writesSince(0)).toEqual([])
  })

  it('creates what is missing and deploys the four Workers, each with its own secrets', async () => {
    const { code, output } = await deploy('--secrets-file', secretsFile, '--domain', 'c.example')
    expect(output).toContain('deployed')
    expect(code).toBe(0)
    expect(account.databases.map(({ name }) => name)).toEqual(['cotizaciones'])
    expect([...account.workers.keys()]).toEqual([
      'cotizaciones-delivery',
      'cotizaciones-site',
      'cotizaciones-edge',
      'cotizaciones-scraper',
    ])
    expect(account.workers.get('cotizaciones-site')!.bindings).toContainEqual(
      expect.objectContaining({ name: 'PUBLIC_ORIGIN', text: 'https://c.example' }),
    )
    expect(secretsOf('cotizaciones-edge')).toEqual(['KEY_ENCRYPTION_KEYS'])
    expect(secretsOf('cotizaciones-site')).toContain('KEY_ENCRYPTION_KEYS')
    expect(secretsOf('cotizaciones-scraper')).toEqual(['SYSTEM_WEBHOOK_URL'])
    expect(account.queues[0]!.consumers).toMatchObject([{ script: 'cotizaciones-delivery' }])
    expect(account.calls).toContain('PUT /workers/scripts/cotizaciones-edge/domains/records')
    expect(account.workers.get('cotizaciones-edge')!.observability).toMatchObject({ enabled: true })
    expect(output).toContain('npm run verify -- https://c.example --wait')
  })

  it('refuses a database of another version, before anything is touched', async () => {
    account.sqlite.exec("insert into d1_migrations (name) values ('0000_create_quotes.sql')")
    const { code, output } = await deploy('--domain', 'c.example')
    account.sqlite.exec("delete from d1_migrations where name = '0000_create_quotes.sql'")

    expect(code).toBe(1)
    expect(output).toMatch(/^error: the database is of another version .*0000_create_quotes/m)
    expect(output).not.toContain('create what is missing')
  })

  it('refuses keys that do not open what the first ones sealed, before anything is touched', async () => {
    const others = join(folder, 'others.env')
    writeFileSync(others, readFileSync(secretsFile, 'utf8').replace(/=k1:A/, '=k1:B'))
    const { code, output } = await deploy('--domain', 'c.example', '--secrets-file', others)
    expect(code).toBe(1)
    expect(output).toContain('these KEY_ENCRYPTION_KEYS do not open what key k1 sealed')
    expect(output).not.toContain('create what is missing')
  })

  it('keeps a database that was in service elsewhere from delivering, with a warning', async () => {
    account.sqlite.exec("update installation set place = 'D1 another'")
    const { output } = await deploy('--domain', 'c.example')
    expect(output).toContain('stay off until npm run admin -- deliver --remote')
    const deliver = ['deliver', '--remote']
    const { output: printed } = await run('node', 'tools/operate/admin.ts', ...deliver)
    expect(printed).toBe('deliveries and e-mails go out from now on\n')
  })

  it('upgrades without the file of secrets, and prints the way back', async () => {
    const already = account.calls.length
    const { output } = await deploy('--domain', 'c.example')
    expect(output).toContain('deployed')
    expect(output).toContain(
      'wrangler d1 time-travel restore cotizaciones --bookmark=00000085-0000024c',
    )
    expect(output).toContain('No migrations to apply')
    expect(writesSince(already).filter((call) => call.startsWith('POST /queues'))).toEqual([])
    expect(output).not.toContain('is a copy')
  })

  it('reaches the deployed database by name', async () => {
    const { code } = await run('node', 'tools/operate/admin.ts', 'account', 'list', '--remote')
    expect(code).toBe(0)
    expect(account.calls.at(-1)).toBe('POST /d1/database/d1-1/query')
  })
})
