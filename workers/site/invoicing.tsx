import { Hono, type MiddlewareHandler } from 'hono'
import { useContext } from 'hono/jsx'
import { argentineDay, addDays, type Day } from '../../shared/argentine-time.ts'
import { readInvoicing } from '../../shared/db/quotes/invoicing.ts'
import {
  findInvoicingCurrency,
  INVOICING_CURRENCIES,
  isCloseKnown,
  parseIssueDate,
  type InvoicingCurrency,
  invoicingRate,
  type StoredRate,
} from '../../shared/market/invoicing.ts'
import type { SiteContext } from './context.ts'
import { badRequest } from '../../shared/http-error.ts'
import { divideHalfAwayFromZero } from '../../shared/market/price.ts'
import { withBoard } from './page-board.ts'
import type { Mode } from '../../shared/board/board.ts'
import { Fact, Headline, ModeBanner, Table } from './board/elements.tsx'
import { AmountInput, MAX_AMOUNT_TEXT } from './home/converter.tsx'
import { Card, Layout, Now, Panel } from './layout.tsx'
import {
  amountText,
  decimalText,
  dayText,
  longDayText,
  momentText,
  parseAmount,
  scaledText,
} from '../../shared/market/spanish-text.ts'

const CACHE = 'public, max-age=60'

/**
 * `/facturacion?fecha=2026-03-02&moneda=usd&monto=1500,50`: a plain form with its result on the
 * same page. The page reads the database, so it has the limit of the API's date reads.
 */
export function invoicingRoutes(limitDates: MiddlewareHandler<SiteContext>) {
  return new Hono<SiteContext>().get('/', limitDates, withBoard, async (c) => {
    const now = c.var.now()
    const { fecha, moneda, monto } = c.req.query()
    const date = parseIssueDate(fecha || null, now)
    if (!date.ok) throw badRequest(date.refusal)

    const codes = INVOICING_CURRENCIES.map(({ code }) => code)
    const known = await readInvoicing(c.env.DB, codes, date.value, now)
    const rows = INVOICING_CURRENCIES.map((currency, index) => {
      const rate = known.rates[index] ?? null
      return { currency, rate, stale: invoicingRate(currency, date.value, rate, known).stale }
    })
    const props = {
      date: date.value,
      chosen:
        rows.find(({ currency }) => currency === findInvoicingCurrency(moneda ?? '')) ?? rows[0]!,
      amount: (monto ?? '').slice(0, MAX_AMOUNT_TEXT),
      rows,
      open: !isCloseKnown(date.value, now, known),
      mode: c.var.board?.mode ?? 'live',
    }
    c.header('Cache-Control', CACHE)
    return c.render(<InvoicingPage {...props} />)
  })
}

interface Row {
  currency: InvoicingCurrency
  rate: StoredRate | null
  stale: boolean | null
}

interface Props {
  date: Day
  chosen: Row
  /** The amount as typed. */
  amount: string
  /** Every currency. */
  rows: readonly Row[]
  /** Whether the close that the date needs is still to come. */
  open: boolean
  mode: Mode
}

const TITLE = 'Tipo de cambio para facturar'

/** The rate that an invoice in foreign currency must use, with the amount in pesos. */
function InvoicingPage(props: Props) {
  return (
    <Layout
      title={TITLE}
      description="El vendedor divisa del Banco Nación al cierre del día hábil anterior, que pide la RG 5616/2024 para facturar en moneda extranjera."
      path="/facturacion"
    >
      <ModeBanner mode={props.mode} />
      <div class="hero">
        <h1>{TITLE}</h1>
        <p class="lead">
          El vendedor «divisa» del Banco Nación al cierre del día hábil cambiario anterior.
        </p>
      </div>
      <div class="columns">
        <aside class="side">
          <AskForm {...props} />
        </aside>
        <div>
          {props.open ? (
            <p class="notice">
              El cierre de hoy todavía no se conoce: lo que se emita mañana usa la última tabla de
              hoy.
            </p>
          ) : (
            <>
              <Rate {...props} />
              <AllRates {...props} />
            </>
          )}
          <Rule />
        </div>
      </div>
    </Layout>
  )
}

function AskForm({ date, chosen, amount }: Props) {
  const last = addDays(argentineDay(useContext(Now)), 1)
  return (
    <section class="card" aria-label="Qué facturás">
      <form method="get" action="/facturacion">
        <label for="fecha">Fecha de emisión</label>
        <input id="fecha" name="fecha" type="date" required max={last} value={date} />
        <label for="moneda">Moneda</label>
        <select id="moneda" name="moneda">
          {INVOICING_CURRENCIES.map((currency) => (
            <option value={currency.code.toLowerCase()} selected={currency === chosen.currency}>
              {currency.name} ({currency.code})
            </option>
          ))}
        </select>
        <label for="monto">Monto</label>
        <AmountInput value={amount} placeholder="1.500,50" />
        <button type="submit" class="primary wide">
          Ver tipo de cambio
        </button>
      </form>
    </section>
  )
}

function Rate({ date, chosen: { currency, rate, stale }, amount }: Props) {
  if (!rate) return <p class="empty">No tenemos la tabla de ningún día anterior a esa fecha.</p>

  const parsed = parseAmount(amount)
  return (
    <>
      <Headline
        label="El tipo de cambio"
        side={`Vendedor divisa, ${currency.name.toLowerCase()}, cierre del ${longDayText(rate.day)}`}
        value={`$\u00a0${decimalText(rate.sell)}`}
        aside={rate.units > 1 && <span class="unit">por {rate.units} unidades</span>}
      >
        <Fact name="Se emite el">{dayText(date)}</Fact>
        <Fact name="Comprador">$&nbsp;{decimalText(rate.buy)}</Fact>
        <Fact name="Publicado">
          {rate.publishedAt === null ? 'no lo dice' : momentText(rate.publishedAt)}
        </Fact>
        <Fact name="Fuente">
          {rate.source === 'import' ? 'archivo importado' : 'tabla del Banco Nación'}
        </Fact>
      </Headline>
      {stale && (
        <p class="notice bad">
          Falta la tabla del día hábil anterior a la emisión: esta es de un día más viejo. No la
          uses sin confirmarla en la página del banco.
        </p>
      )}
      {parsed !== null && (
        <p class="conversion">
          <span>
            {currency.code} {amountText(parsed)} son
          </span>
          <strong class="conversion-to">$&nbsp;{invoicePesos(parsed, rate)}</strong>
        </p>
      )}
      {parsed === null && amount.trim() !== '' && (
        <p class="notice bad">Escribí un monto como 1.500,50.</p>
      )}
    </>
  )
}

function AllRates({ date, rows }: Props) {
  return (
    <>
      <Panel id="tabla" title={`Todas las monedas, para el ${dayText(date)}`}>
        <Table class="plain" head={['Moneda', 'Vendedor', 'Cierre del']}>
          {rows.map(({ currency, rate, stale }) => (
            <tr>
              <th scope="row">
                {currency.name} ({currency.code})
              </th>
              <td>
                {rate ? `$\u00a0${decimalText(rate.sell)}` : 'sin datos'}
                {rate && rate.units > 1 && ` por ${rate.units}`}
              </td>
              <td>
                {rate && dayText(rate.day)}
                {stale && <span class="tag bad">viejo</span>}
              </td>
            </tr>
          ))}
        </Table>
      </Panel>
      <p class="board-note">
        Las mismas por la API:{' '}
        <a href={`/api/v2/invoicing?date=${date}`}>
          <code>/api/v2/invoicing?date={date}</code>
        </a>
        , también <a href={`/api/v2/invoicing?date=${date}&format=csv`}>en CSV</a>.
      </p>
    </>
  )
}

function Rule() {
  return (
    <Card id="regla" title="Qué dice la norma y hasta dónde llega esta página">
      <p>
        La RG 5616/2024 de ARCA (Boletín Oficial del 18 de diciembre de 2024) pide, para lo que se
        pacta, se factura y se paga en la misma moneda extranjera, el tipo de cambio vendedor
        «divisa» del Banco Nación al cierre del día hábil cambiario anterior al de emisión.
      </p>
      <ul>
        <li>
          Es la tabla mayorista del banco, no la de billetes: no es lo que muestra{' '}
          <a href="/usd/bna">Dólar Banco Nación</a>.
        </li>
        <li>
          Vale la última tabla que el banco publicó con la fecha de ese día. Si después la corrige,
          mostramos la corregida y guardamos la anterior.
        </li>
        <li>
          Días hábiles son los que tienen tabla. Si falta la de un día en que el banco abrió, lo
          decimos: no la reemplazamos por otra sin avisar.
        </li>
        <li>
          No alcanza a otros casos, como lo que se pacta en moneda extranjera y se paga en pesos, ni
          dice qué impuestos corresponden.
        </li>
        <li>Es información, no asesoramiento: ante la duda vale lo que publica el banco.</li>
      </ul>
    </Card>
  )
}

const RATE_DECIMALS = 6

/** An amount in millionths at the selling rate, in pesos with two decimals, halves rounded up. */
function invoicePesos(amount: bigint, { sell, units }: StoredRate): string {
  const [whole = '', fraction = ''] = sell.split('.')
  const rate = BigInt(whole + fraction.padEnd(RATE_DECIMALS, '0'))
  return scaledText(divideHalfAwayFromZero(amount * rate, 10n ** 10n * BigInt(units)), 2)
}
