import { argentineDay, type Day, type Instant } from '../../../shared/argentine-time.ts'
import type { Mode } from '../../../shared/board/board.ts'
import { dayFilePath, manifestPath } from '../../../shared/board/record.ts'
import { CORRECTION, type StoredCorrection } from '../../../shared/db/quotes/corrections.ts'
import { type Pair, pairKey } from '../../../shared/market/catalog.ts'
import type { Price } from '../../../shared/market/price.ts'
import { Fact } from '../board/fact.tsx'
import { ModeBanner } from '../board/mode-banner.tsx'
import { longDayText, momentText, pairPath, valueText } from '../board/words.ts'
import type { Evidence } from '../db/certificate.ts'
import { Layout } from '../layout.tsx'

export interface CertificateProps {
  pair: Pair
  day: Day
  /** The requested time; null for the end of the day, or now. */
  time: string | null
  effectiveAt: Instant
  point: NonNullable<Evidence['point']>
  proof: Omit<Evidence, 'point'>
  /** The SHA-256 on a printed page, to compare. */
  printed: string | null
  path: string
  mode: Mode
  now: Instant
  origin: string
}

/** A value to print, with its instant, source, corrections and proof. */
export function CertificatePage(props: CertificateProps) {
  const { pair, day, point, mode, now, origin, path } = props

  return (
    <Layout
      title={`Constancia: ${pair.name}, ${longDayText(day)}`}
      canonical={`${origin}${path}`}
      styles={['quotes.css', 'pair.css', 'certificate.css']}
      head={<meta name="robots" content="noindex" />}
    >
      <ModeBanner mode={mode} />
      <h1 class="pair-title">Constancia de cotización</h1>
      <Compared {...props} />
      <section class="headline" aria-label="Valor vigente">
        <p class="headline-value">
          <span class="headline-side">
            {pair.name}
            {!pair.singleValue && ', venta'}
          </span>
          <strong>{valueText(point.sell, pair)}</strong>
        </p>
        <dl class="facts">
          <Fact name="Cotización">{pairKey(pair)}</Fact>
          <Fact name="Vigente al">{whenText(props)}</Fact>
          {!pair.singleValue && <Fact name="Compra">{valueText(point.buy, pair)}</Fact>}
          <Fact name="Rige desde">{momentText(point.at)}</Fact>
          <Fact name="Fuente">{sourceText(point.source)}</Fact>
          <Fact name="Emitida">{momentText(now)}</Fact>
        </dl>
      </section>
      <Corrections {...props} />
      <Proof {...props} />
      <form class="date-form" method="get" action={path}>
        <label for="hora">A otra hora de ese día</label>
        <div class="field-row">
          <input id="hora" name="hora" type="time" value={props.time ?? ''} />
          <button type="submit">Ver</button>
        </div>
      </form>
      <p class="pair-links">
        <a href={day === argentineDay(now) ? pairPath(pair) : `${pairPath(pair)}/${day}`}>
          {pair.name} ese día
        </a>
      </p>
    </Layout>
  )
}

/** Whether a printed page is still valid. */
function Compared({ printed, proof: { daySum } }: CertificateProps) {
  if (printed === null) return null
  return (
    <p class="notice" role="status">
      {printed === daySum
        ? 'Coincide: el archivo del día tiene la misma huella que la constancia impresa.'
        : 'No coincide con la constancia impresa: algún valor de ese día, de este par o de otro, cambió después. Si fue de este par, abajo dice cuándo y por qué; los motivos de todos están en los manifiestos.'}
    </p>
  )
}

function Corrections({ pair, proof: { corrections } }: CertificateProps) {
  return (
    <section class="group certificate" aria-labelledby="correcciones">
      <h2 id="correcciones">Correcciones de ese día</h2>
      {corrections.length === 0 ? (
        <p>Ninguna a mano.</p>
      ) : (
        <ul>
          {corrections.map((correction) => (
            <li>{correctionText(correction, pair)}</li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Proof(props: CertificateProps) {
  const { day, proof, origin, path, time } = props
  const { daySum, manifest } = proof
  return (
    <section class="group certificate" aria-labelledby="prueba">
      <h2 id="prueba">Qué la prueba</h2>
      {daySum === null || manifest === null ? (
        <p>
          El archivo de este día todavía no está en un manifiesto: se publica minutos después de la
          medianoche argentina. Hasta entonces esta página no prueba nada.
        </p>
      ) : (
        <dl class="proof">
          <dt>Archivo del día</dt>
          <dd>
            <a href={dayFilePath(day)}>{`${origin}${dayFilePath(day)}`}</a>
            <code>{daySum}</code>
          </dd>
          <dt>Manifiesto</dt>
          <dd>
            <a href={manifestPath(manifest.name)}>{`${origin}${manifestPath(manifest.name)}`}</a>
            <code>{manifest.sha256}</code>
          </dd>
          <dt>Clave de la firma (Ed25519)</dt>
          <dd>{manifest.key === null ? 'Sin firma' : <code>{manifest.key}</code>}</dd>
          <dt>Para comprobarla</dt>
          <dd>
            <a href={`${path}?${checkQuery(time, daySum)}`}>
              {`${origin}${path}?${checkQuery(time, daySum)}`}
            </a>
            <span>
              o, sin confiar en esta página, con los pasos de{' '}
              <a href="/datos">{`${origin}/datos`}</a>
            </span>
          </dd>
        </dl>
      )}
      <p>
        Prueba que este servicio publicó este valor para ese momento y que, desde que lo firmó, no
        lo cambió sin decirlo. No prueba que alguien haya operado a ese precio ni que sea el que una
        norma o un contrato pide, y no es un consejo.
      </p>
    </section>
  )
}

function checkQuery(time: string | null, sum: string): string {
  return String(new URLSearchParams({ ...(time !== null && { hora: time }), huella: sum }))
}

function whenText({ day, time, effectiveAt, now }: CertificateProps): string {
  if (time !== null) return `${longDayText(day)}, ${time} (hora argentina)`
  return day === argentineDay(now)
    ? `${momentText(effectiveAt)} (hora argentina)`
    : `${longDayText(day)}, final del día (hora argentina)`
}

function sourceText(source: string): string {
  if (source === CORRECTION) return 'corrección a mano'
  const [, file] = /^import:(.+)$/.exec(source) ?? []
  return file === undefined ? source : `historia importada (${file})`
}

function correctionText(correction: StoredCorrection, pair: Pair): string {
  const { at, action, madeAt, reason, oldBuy, oldSell, newBuy, newSell } = correction
  const before = bothText(oldBuy, oldSell, pair)
  const change =
    action === 'remove' || newBuy === null || newSell === null
      ? `se quitó ${before}`
      : `${before} pasó a ${bothText(newBuy, newSell, pair)}`
  return `Valor del ${momentText(at)}: ${change}. Corregido el ${momentText(madeAt)}: ${reason}`
}

function bothText(buy: Price, sell: Price, pair: Pair): string {
  return pair.singleValue
    ? valueText(sell, pair)
    : `compra ${valueText(buy, pair)}, venta ${valueText(sell, pair)}`
}
