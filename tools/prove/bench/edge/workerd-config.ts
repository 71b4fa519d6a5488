/** The Workers for raw workerd: the edge and its baselines. */
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

/** Stands for KV in raw workerd: the board's text, made at this moment. */
const KV = `const quotes = ${JSON.stringify(QUOTES)}
export default { fetch: () => Response.json({ schema: 1, generatedAt: Date.now(), everySeconds: 300,
  mode: 'live', sources: [], anySourceAnswered: true, quotes }) }`

/** A Worker of one file beside the configuration, on a loopback port. */
export interface Served {
  name: string
  file: string
  /** Other modules: one that nothing imports, WebAssembly. */
  beside?: readonly string[] | undefined
  port: number
}

/** The files that workerd is to find beside `edge`'s bundle: the configuration and the board. */
export function workerdFiles(servers: readonly Served[]): Record<string, string> {
  return { 'config.capnp': config(servers), 'kv.js': KV }
}

function config(servers: readonly Served[]): string {
  const names = [...servers.map(({ name }) => name), 'kv']
  const services = names.map((name) => `(name = "${name}", worker = .${name})`)
  const sockets = servers.map(
    ({ name, port }) =>
      `(name = "${name}", address = "127.0.0.1:${port}", http = (), service = "${name}")`,
  )
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [ ${services.join(', ')} ],
  sockets = [ ${sockets.join(', ')} ]
);
${servers.map(({ name, file, beside = [] }) => worker(name, [file, ...beside])).join('\n')}
${worker('kv', ['kv.js'])}
`
}

function worker(name: string, files: readonly string[]): string {
  const modules = files.map((file) => {
    const type = file.endsWith('.wasm') ? 'wasm' : 'esModule'
    return `(name = "${file}", ${type} = embed "${file}")`
  })
  const bindings = name === 'kv' ? '' : ', bindings = [(name = "BOARD", kvNamespace = "kv")]'
  return (
    `const ${name} :Workerd.Worker = ( modules = [${modules.join(', ')}], ` +
    `compatibilityDate = "2026-10-27"${bindings} );`
  )
}
