import type { Instant } from '../../../shared/argentine-time.ts'
import { findPair } from '../../../shared/market/catalog.ts'
import type { PairStatus } from '../../../shared/board/status.ts'
import { ago } from './words.ts'

/** Each pair: whether it is fresh, when a source last confirmed it, and which. */
export function PairTable({ pairs, now }: { pairs: PairStatus[]; now: Instant }) {
  return (
    <section class="card">
      <h2>Cotizaciones</h2>
      <table class="facts">
        <thead>
          <tr>
            <th scope="col">Par</th>
            <th scope="col">Estado</th>
            <th scope="col">Confirmada</th>
            <th scope="col" class="wide-only">
              Fuente
            </th>
          </tr>
        </thead>
        <tbody>
          {pairs.map((pair) => (
            <Row pair={pair} now={now} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Row({ pair, now }: { pair: PairStatus; now: Instant }) {
  const { currency, origin, fresh, held, lastScrapedAt, source } = pair
  const [mark, words] = fresh
    ? ['ok', 'Al día']
    : lastScrapedAt
      ? ['degraded', 'Demorada']
      : ['down', 'Sin datos']

  return (
    <tr>
      <th scope="row">{findPair(currency, origin)?.name}</th>
      <td>
        <span class={`state ${mark}`}>
          <span class="dot" aria-hidden="true"></span>
          {words}
        </span>
        {held && <span class="tag">Valor nuevo en revisión</span>}
      </td>
      <td>
        {lastScrapedAt ? (
          <time datetime={lastScrapedAt}>{ago(Date.parse(lastScrapedAt), now)}</time>
        ) : (
          'nunca'
        )}
      </td>
      <td class="wide-only">{source ?? 'ninguna'}</td>
    </tr>
  )
}
