/** The Workers for raw workerd: the edge and its two baselines. */

export const PATH = '/api/v2/usd/blue'

const QUOTE = {
  currency: 'USD',
  name: 'Dólar Blue',
  origin: 'BLUE',
  buy: 1410,
  sell: 1430,
  updatedAt: '2026-03-02T11:55:00.000-03:00',
  lastScrapedAt: '2026-03-02T12:00:00.000-03:00',
  valueType: 'money',
}

export const CONSTANT = `const body = ${JSON.stringify(JSON.stringify({ ...QUOTE, change: { amount: 0, percent: 0, referenceValue: 1430 } }))}
export default { fetch: () => new Response(body, { headers: { 'Content-Type': 'application/json' } }) }`

/** Stands for KV in raw workerd: the board's text, made at this moment. */
export const KV = `const quote = ${JSON.stringify({ ...QUOTE, referenceSell: 1400, source: 'ambito-blue', held: false })}
export default { fetch: () => Response.json({ schema: 1, generatedAt: Date.now(), everySeconds: 300,
  mode: 'live', sources: [], anySourceAnswered: true, quotes: [quote] }) }`

/** The Workers of the files beside it, each on its loopback port. */
export function workerdConfig(ports: { constant: number; edge: number; hono: number }): string {
  const sockets = Object.entries(ports).map(
    ([name, port]) =>
      `(name = "${name}", address = "127.0.0.1:${port}", http = (), service = "${name}")`,
  )
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [ (name = "edge", worker = .edge), (name = "constant", worker = .constant),
    (name = "hono", worker = .hono), (name = "kv", worker = .kv) ],
  sockets = [ ${sockets.join(', ')} ]
);
${worker('edge', 'index.js', ', bindings = [(name = "BOARD", kvNamespace = "kv")]')}
${worker('constant', 'constant.js')}
${worker('hono', 'hono.js')}
${worker('kv', 'kv.js')}
`
}

function worker(name: string, file: string, bindings = ''): string {
  return (
    `const ${name} :Workerd.Worker = ( modules = [(name = "${file}", esModule = embed "${file}")], ` +
    `compatibilityDate = "2026-10-27"${bindings} );`
  )
}
