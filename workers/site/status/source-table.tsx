import type { Instant } from '../../../shared/argentine-time.ts'
import type { SourceHealth } from '../../../shared/board/board.ts'
import { ago, failure } from './words.ts'

/** Every source: when it last responded, and its errors since. */
export function SourceTable({ sources, now }: { sources: SourceHealth[]; now: Instant }) {
  const failing = sources.filter((source) => source.lastError !== null).length

  return (
    <section class="card">
      <div class="card-head">
        <h2>Fuentes</h2>
        {sources.length > 0 && (
          <p class="count">
            {failing === 0
              ? `${sources.length} responden`
              : `${failing} de ${sources.length} fallan`}
          </p>
        )}
      </div>
      {sources.length === 0 ? (
        <p class="empty">Todavía no se consultó ninguna.</p>
      ) : (
        <details>
          <summary>Ver todas</summary>
          <table class="facts">
            <thead>
              <tr>
                <th scope="col">Fuente</th>
                <th scope="col">Última respuesta</th>
                <th scope="col">Estado</th>
              </tr>
            </thead>
            <tbody>
              {sources.map((source) => (
                <Row source={source} now={now} />
              ))}
            </tbody>
          </table>
        </details>
      )}
    </section>
  )
}

function Row({ source, now }: { source: SourceHealth; now: Instant }) {
  const { name, lastSuccessAt, lastError } = source
  const mark = lastError ? 'degraded' : lastSuccessAt ? 'ok' : 'unknown'
  const words = lastError ? failure(lastError) : lastSuccessAt ? 'responde' : 'sin consultar'

  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        {lastSuccessAt ? (
          <time datetime={lastSuccessAt}>{ago(Date.parse(lastSuccessAt), now)}</time>
        ) : (
          'nunca'
        )}
      </td>
      <td>
        <span class={`state ${mark}`}>
          <span class="dot" aria-hidden="true"></span>
          {words}
        </span>
      </td>
    </tr>
  )
}
