import { Hono } from 'hono'
import { viewOf, type PairView } from './board/quote-view.ts'
import type { SiteContext } from './context.ts'
import { boardOf, withBoard } from './page-board.ts'
import { Document, Origin } from './layout.tsx'
import { inCatalogue } from './pair/pair-routes.tsx'
import { useContext } from 'hono/jsx'
import type { Mode } from '../../shared/board/board.ts'
import { ConfirmedAge, DayChange } from './board/elements.tsx'
import { pairPath } from './board/words.ts'
import { unitsOf, valueText } from '../../shared/market/spanish-text.ts'

/** `/embed/usd/blue`: the only page that other sites may put into a frame (FRAMED_PATH). */
export function embedRoutes() {
  const path = `${FRAMED_PATH}:currency/:origin`
  return new Hono<SiteContext>().get(path, inCatalogue(), withBoard, (c) => {
    const board = boardOf(c)
    c.header('Cache-Control', 'public, max-age=60')
    c.header('Refresh', RELOAD_SECONDS)
    return c.render(<EmbedPage view={viewOf(board, c.var.pair, c.var.now())} mode={board.mode} />)
  })
}

/** The paths that other sites may put into a frame. */
export const FRAMED_PATH = '/embed/'
/** Browsers reload the card once per cycle of the service. */
const RELOAD_SECONDS = '300'

/** A small card for other sites. It contains nothing about the visitor. */
function EmbedPage({ view: { pair, quote }, mode }: { view: PairView; mode: Mode }) {
  return (
    <Document title={pair.name} head={<meta name="robots" content="noindex" />} class="framed">
      <main class="embed">
        <h1 class="pair">
          <a href={`${useContext(Origin)}${pairPath(pair)}`} target="_blank" rel="noopener">
            {pair.name}
          </a>{' '}
          {mode !== 'live' && <span class="tag">Demo</span>}
        </h1>
        {quote ? (
          <>
            <p class="headline-value">
              <strong>{valueText(quote.sell, unitsOf(pair))}</strong>
              {quote.change && <DayChange change={quote.change} />}
            </p>
            <p class="age">
              {!pair.singleValue && <span>Compra {valueText(quote.buy, unitsOf(pair))}</span>}
              <span>
                <ConfirmedAge quote={quote} />
              </span>
            </p>
          </>
        ) : (
          <p class="muted">Todavía sin datos</p>
        )}
      </main>
    </Document>
  )
}
