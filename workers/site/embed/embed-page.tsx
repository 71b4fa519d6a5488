import { html } from 'hono/html'
import type { Instant } from '../../../shared/argentine-time.ts'
import type { Mode } from '../../../shared/board/board.ts'
import { AgeMark } from '../board/age-mark.tsx'
import { ChangeMark } from '../board/change-mark.tsx'
import type { PairView } from '../board/quote-view.ts'
import { pairPath, valueText } from '../board/words.ts'

interface Props {
  view: PairView
  mode: Mode
  now: Instant
  origin: string
}

/** A small card for other sites. It contains nothing about the visitor. */
export function EmbedPage({ view: { pair, quote }, mode, now, origin }: Props) {
  return html`<!doctype html>${(
      <html lang="es-AR">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="robots" content="noindex" />
          <title>{`${pair.name} · Cotizaciones`}</title>
          <link rel="stylesheet" href="/static/embed.css" />
          <script type="module" src="/static/embed.js"></script>
        </head>
        <body>
          <main class="embed">
            <h1>
              <a href={`${origin}${pairPath(pair)}`} target="_blank" rel="noopener">
                {pair.name}
              </a>
              {mode !== 'live' && <span class="tag">Demo</span>}
            </h1>
            {quote ? (
              <>
                <p class="value">
                  <strong>{valueText(quote.sell, pair)}</strong>
                  {quote.change && <ChangeMark change={quote.change} />}
                </p>
                <p class="small">
                  {!pair.singleValue && <span>Compra {valueText(quote.buy, pair)}</span>}
                  <span>
                    <AgeMark quote={quote} now={now} />
                  </span>
                </p>
              </>
            ) : (
              <p class="small">Todavía sin datos</p>
            )}
          </main>
        </body>
      </html>
    )}`
}
