import { wrangler } from './wrangler.ts'

const API = 'https://api.cloudflare.com/client/v4'

/**
 * The account's name under workers.dev (`NAME.workers.dev`), with what wrangler is signed in with,
 * for no command of wrangler tells it. Undefined when the account has none yet, or several accounts
 * leave open which one it is.
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
