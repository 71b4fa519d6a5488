import { formatArgentine, type Instant } from '../../../shared/argentine-time.ts'
import type { Board } from '../../../shared/board/board.ts'
import { AgeMark } from '../board/age-mark.tsx'
import { ChangeMark } from '../board/change-mark.tsx'
import { type GroupView, groupsOf, type PairView } from '../board/quote-view.ts'
import { CURRENCY_NAMES, momentText, pairPath, percentText, priceText } from '../board/words.ts'

/**
 * The tables of the home page. The page's script asks for them each minute and puts what changed
 * into the cells of the same `data-cell`, so every pair of the catalogue has its row, quoted or not.
 */
export function BoardTables({ board, now }: { board: Board; now: Instant }) {
  return (
    <div id="tablero" class="board">
      {groupsOf(board, now).map((group) => (
        <Group group={group} now={now} />
      ))}
      <p class="board-note">
        Última vuelta:{' '}
        <time data-cell="generado" datetime={formatArgentine(board.generatedAt)}>
          {momentText(board.generatedAt)}
        </time>
        , hora argentina. La variación es contra el último valor de ayer; la brecha, contra la venta
        del oficial.
      </p>
    </div>
  )
}

function Group({ group: { currency, pairs }, now }: { group: GroupView; now: Instant }) {
  const single = currency === 'ARG'
  const gaps = currency === 'USD'
  const id = currency.toLowerCase()

  return (
    <section class="group" aria-labelledby={id}>
      <h2 id={id}>{CURRENCY_NAMES[currency]}</h2>
      <table role="table" class={gaps ? 'quotes with-gap' : single ? 'quotes single' : 'quotes'}>
        <thead role="rowgroup">
          <tr role="row">
            <th role="columnheader" scope="col">
              {single ? 'Índice' : 'Cotización'}
            </th>
            {!single && (
              <th role="columnheader" scope="col">
                Compra
              </th>
            )}
            <th role="columnheader" scope="col">
              {single ? 'Valor' : 'Venta'}
            </th>
            {gaps && (
              <th role="columnheader" scope="col">
                Brecha
              </th>
            )}
            <th role="columnheader" scope="col">
              Variación
            </th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {pairs.map((view) => (
            <Row view={view} single={single} gaps={gaps} now={now} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface RowProps {
  view: PairView
  single: boolean
  gaps: boolean
  now: Instant
}

function Row({ view: { pair, quote }, single, gaps, now }: RowProps) {
  const key = pairPath(pair).slice(1)
  const money = pair.valueType === 'money'

  return (
    <tr role="row" data-pair={key} data-buy={quote?.buy} data-sell={quote?.sell}>
      <th role="rowheader" scope="row" class="pair">
        <a href={pairPath(pair)}>{pair.name}</a>
        <span class="age" data-cell={`${key} age`}>
          {quote ? <AgeMark quote={quote} now={now} /> : 'Todavía sin datos'}
        </span>
      </th>
      {!single && (
        <td role="cell" class="buy" data-cell={`${key} buy`}>
          {quote ? priceText(quote.buy, pair) : '—'}
        </td>
      )}
      <td role="cell" class="sell" data-cell={`${key} sell`}>
        {quote ? (
          <>
            {single && money && <span class="unit">$ </span>}
            {priceText(quote.sell, pair)}
          </>
        ) : (
          '—'
        )}
      </td>
      {gaps && (
        <td role="cell" class="gap" data-cell={`${key} gap`}>
          {quote?.gap == null ? (
            <span class="muted" aria-hidden="true">
              —
            </span>
          ) : (
            percentText(quote.gap)
          )}
        </td>
      )}
      <td role="cell" class="move" data-cell={`${key} move`}>
        <ChangeMark change={quote?.change ?? null} />
      </td>
    </tr>
  )
}
