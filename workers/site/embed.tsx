import { Hono } from 'hono'
import { viewOf, type PairView } from './board/quote-view.ts'
import type { SiteContext } from './context.ts'
import { boardOf, kept, OF_BOARD } from './kept.ts'
import { Files } from './layout.tsx'
import { inCatalogue } from './pair/pair-routes.tsx'
import { html } from 'hono/html'
import type { Instant } from '../../shared/argentine-time.ts'
import type { Mode } from '../../shared/board/board.ts'
import { AgeMark, ChangeMark } from './board/marks.tsx'
import { pairPath } from './board/words.ts'
import { unitsOf, valueText } from '../../shared/market/spanish-text.ts'

/** `/embed/usd/blue`: the only page that other sites may put into a frame (FRAMED_PATH). */
export function embedRoutes() {
  const path = `${FRAMED_PATH}:currency/:origin`
  return new Hono<SiteContext>().get(path, inCatalogue(), kept(OF_BOARD), (c) => {
    const { pair, origin } = c.var
    const [board, instant] = [boardOf(c), c.var.now()]
    const props = { view: viewOf(board, pair, instant), mode: board.mode, now: instant, origin }
    return c.html(<EmbedPage {...props} />, 200, {
      'Cache-Control': 'public, max-age=60',
      Refresh: RELOAD_SECONDS,
    })
  })
}

/** Where frames of other sites are let in. */
export const FRAMED_PATH = '/embed/'
/** Browsers read the card again with every cycle of the service. */
const RELOAD_SECONDS = '300'

interface Props {
  view: PairView
  mode: Mode
  now: Instant
  origin: string
}

/** A small card for other sites. It contains nothing about the visitor. */
function EmbedPage({ view: { pair, quote }, mode, now, origin }: Props) {
  return html`<!doctype html>${(
      <html lang="es-AR">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="robots" content="noindex" />
          <title>{`${pair.name} · Cotizaciones`}</title>
          <Files />
        </head>
        <body class="framed">
          <main class="embed">
            <h1 class="pair">
              <a href={`${origin}${pairPath(pair)}`} target="_blank" rel="noopener">
                {pair.name}
              </a>{' '}
              {mode !== 'live' && <span class="tag">Demo</span>}
            </h1>
            {quote ? (
              <>
                <p class="headline-value">
                  <strong>{valueText(quote.sell, unitsOf(pair))}</strong>
                  {quote.change && <ChangeMark change={quote.change} />}
                </p>
                <p class="age">
                  {!pair.singleValue && <span>Compra {valueText(quote.buy, unitsOf(pair))}</span>}
                  <span>
                    <AgeMark quote={quote} now={now} />
                  </span>
                </p>
              </>
            ) : (
              <p class="muted">Todavía sin datos</p>
            )}
          </main>
        </body>
      </html>
    )}`
}
