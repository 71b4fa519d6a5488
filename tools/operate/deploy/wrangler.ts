import { spawnSync } from 'node:child_process'
import { CommandError } from '../../support/arguments.ts'

export class WranglerError extends CommandError {}

/** Runs wrangler and returns what it printed. */
export function wrangler(args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync('wrangler', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  })
  if (error) throw new WranglerError(`wrangler did not start: ${error.message}`)
  if (status !== 0) {
    const printed = [stdout, stderr].filter(Boolean).join('\n').trim()
    throw new WranglerError(`wrangler ${args.slice(0, 3).join(' ')} failed\n${printed}`)
  }
  return stdout
}

const API = 'https://api.cloudflare.com/client/v4'

/**
 * The account's name under workers.dev (`NAME.workers.dev`). No command of wrangler prints it, so
 * this asks the API with wrangler's own sign-in. Undefined when the account has none yet, or when
 * there are several accounts.
 */
export async function workersDevName(): Promise<string | undefined> {
  const { token } = JSON.parse(wrangler(['auth', 'token', '--json'])) as { token?: string }
  const account = process.env['CLOUDFLARE_ACCOUNT_ID'] ?? onlyAccount()
  if (!token || !account) return undefined

  const base = process.env['CLOUDFLARE_API_BASE_URL'] ?? API
  const response = await fetch(`${base}/accounts/${account}/workers/subdomain`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  if (!response.ok) return undefined
  const { result } = (await response.json()) as { result: { subdomain?: string } | null }
  return result?.subdomain
}

function onlyAccount(): string | undefined {
  const { accounts = [] } = JSON.parse(wrangler(['whoami', '--json'])) as {
    accounts?: { id: string }[]
  }
  return accounts.length === 1 ? accounts[0]!.id : undefined
}
