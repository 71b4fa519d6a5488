import { parse, stringify } from 'smol-toml'

type Table = Record<string, unknown>

/** What the button runs: the schema first, the code that needs it, and what only older code needed. */
const SCRIPT =
  'wrangler d1 migrations apply DB --remote && wrangler deploy && ' +
  'wrangler d1 execute DB --remote --yes --command="$(cat migrations/after/*.sql)"'

/** What a new deployment cannot have: names of one account's resources, which the button makes anew. */
const IDS = ['id', 'database_id']

/**
 * `wrangler.toml` as Cloudflare's button reads it: one Worker, its bindings at the top, no
 * environments. The transport is the one that Cloudflare's own network needs.
 */
export function flatten(toml: string, environment: string): string {
  const { env, ...top } = parse(toml) as Table & { env: Record<string, Table> }
  const worker = env[environment]
  if (!worker) throw new Error(`wrangler.toml has no environment ${environment}`)

  const vars = { ...(worker['vars'] as Table), DELIVERY_TRANSPORT: 'fetch' }
  const one: Table = { ...top, ...worker, vars }
  for (const name of ['kv_namespaces', 'd1_databases'])
    one[name] = (worker[name] as Table[]).map(withoutIds)
  return `${stringify(one)}\n`
}

function withoutIds(binding: Table): Table {
  return Object.fromEntries(Object.entries(binding).filter(([name]) => !IDS.includes(name)))
}

/** package.json with the deploy script that the button runs: migrations first. */
export function withDeployScript(packageJson: string): string {
  const manifest = JSON.parse(packageJson) as { scripts: Record<string, string> }
  const { predeploy: _, ...scripts } = manifest.scripts
  return `${JSON.stringify({ ...manifest, scripts: { ...scripts, deploy: SCRIPT } }, null, 2)}\n`
}
