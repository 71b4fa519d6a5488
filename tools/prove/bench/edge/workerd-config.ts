/** The Workers for raw workerd: the edge and its baselines. */
import { dayStart } from '../../../../shared/argentine-time.ts'
import { BOARD_KEY } from '../../../../shared/board/board.ts'
import { PAIRS } from '../../../../shared/market/catalog.ts'

const QUOTES = PAIRS.map(({ currency, origin, name, valueType }) => ({
  currency,
  name,
  origin,
  buy: 1410,
  sell: 1430,
  updatedAt: '2026-03-02T11:55:00.000-03:00',
  lastScrapedAt: '2026-03-02T12:00:00.000-03:00',
  valueType,
  referenceSell: 1400,
  source: 'ambito-blue',
  held: false,
}))

/** A day that is over. Its first read finds it in the database. */
export const CLOSED_DAY = '2026-03-01'
const POINTS = PAIRS.map(() => [dayStart(CLOSED_DAY), 14_100_000, 14_300_000])

/** Stands for KV in raw workerd: the board's text, made at this moment. */
const KV = `const quotes = ${JSON.stringify(QUOTES)}
export default { fetch(request) {
  if (new URL(request.url).pathname !== '/${BOARD_KEY}') return new Response(null, { status: 404 })
  return Response.json({ schema: 1, generatedAt: Date.now(), everySeconds: 300, mode: 'live',
    sources: [], anySourceAnswered: true, quotes })
} }`

/** Stands for the database, of which only a date read is asked, once a minute. */
const DATABASE = `const points = ${JSON.stringify(JSON.stringify(POINTS))}
const statement = { bind: () => statement, all: async () => ({ results: [{ points }], meta: {} }) }
export default () => ({ prepare: () => statement })`

/** Stands for the platform's limiter, which is asked for each read and refuses none here. */
const LIMITER = `export default () => ({ limit: async () => ({ success: true }) })`

/** A Worker of one file beside the configuration, on loopback ports. */
export interface Served {
  name: string
  file: string
  /** Other modules: one that nothing imports, WebAssembly. */
  beside?: readonly string[] | undefined
  ports: readonly number[]
  /** Bindings and fields of its own, as the configuration writes them. */
  bindings?: string
  fields?: string
}

/** The files that workerd is to find beside the bundles; `kv` is the Worker that stands for KV. */
export function workerdFiles(servers: readonly Served[], kv = KV): Record<string, string> {
  return {
    'config.capnp': config(servers),
    'kv.js': kv,
    'limiter.js': LIMITER,
    'database.js': DATABASE,
  }
}

/** As many date reads as one address can be allowed, for all come from one. */
const BINDINGS = `(name = "BOARD", kvNamespace = "kv"), (name = "COMPATIBILITY", text = "on"),
  (name = "DB", wrapped = (moduleName = "bench:database")), (name = "DATE_READ_LIMIT", text = "100000"),
  (name = "DATE_READS", wrapped = (moduleName = "bench:limiter"))`

function config(servers: readonly Served[]): string {
  const services = ['kv', ...servers.map(({ name }) => name)].map(
    (name) => `(name = "${name}", worker = .${name})`,
  )
  const sockets = servers.flatMap(({ name, ports }) =>
    ports.map(
      (port) => `(name = "${port}", address = "127.0.0.1:${port}", http = (), service = "${name}")`,
    ),
  )
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [ ${services.join(', ')} ],
  sockets = [ ${sockets.join(', ')} ],
  extensions = [ (modules = [
    (name = "bench:limiter", internal = true, esModule = embed "limiter.js"),
    (name = "bench:database", internal = true, esModule = embed "database.js") ]) ]
);
${servers.map((server) => worker({ ...server, bindings: [BINDINGS, server.bindings ?? ''].join(', ') })).join('\n')}
${worker({ name: 'kv', file: 'kv.js' })}
`
}

function worker({ name, file, beside = [], bindings = '', fields = '' }: Omit<Served, 'ports'>) {
  const modules = [file, ...beside].map((file) => `(name = "${file}", esModule = embed "${file}")`)
  return `const ${name} :Workerd.Worker = ( modules = [${modules.join(', ')}],
  compatibilityDate = "2026-10-27", compatibilityFlags = ["nodejs_als", "enable_request_signal"],
  bindings = [${bindings}], ${fields} );`
}
