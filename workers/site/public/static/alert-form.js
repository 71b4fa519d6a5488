/* Says below the form of an alert what it will do, with the value of now. */
import { percentAbove, percentText, valueText } from './quote-text.js'

const SCALE = 10_000
const UNLIKE = 'Solo se comparan dos precios distintos de una misma moneda.'
const form = document.getElementById('condicion')?.form
const told = document.getElementById('aviso')
const plain = told?.textContent

if (form && told) {
  form.addEventListener('input', ({ target }) => {
    if (target.id === 'par') compareWithin(currencyOf(target.value))
    say()
  })
  say()
}

/** Another price of the currency that was chosen, where it has one. */
function compareWithin(currency) {
  const { par, contra } = form.elements
  const fits = ({ value }) => currencyOf(value) === currency && value !== par.value
  const fit = fits(contra) ? contra : [...contra.options].find(fits)
  if (fit) contra.value = fit.value
}

function currencyOf(pair) {
  return pair.split('/')[0]
}

async function say() {
  const asked = read()
  const pairs = [asked.pair, ...(asked.condition === 'gap' ? [asked.against] : [])]
  const [quote, other] = await Promise.all(pairs.map(quoteOf))
  // What was chosen meanwhile has its own turn.
  if (JSON.stringify(asked) !== JSON.stringify(read())) return

  const text = quote ? sentence(asked, quote, other) : plain
  if (told.textContent !== text) told.textContent = text
}

/** The choices as they stand. */
function read() {
  const { condicion, umbral, repetir, canal } = form.elements
  return {
    pair: side('par', 'lado'),
    against: side('contra', 'contra_lado'),
    condition: condicion.value,
    threshold: umbral.valueAsNumber > 0 ? umbral.valueAsNumber : null,
    repeats: repetir.checked,
    byMail: canal.value === 'email',
  }
}

function side(pair, of) {
  const select = form.elements[pair]
  const { name, decimals, single } = select.selectedOptions[0].dataset
  const field = form.elements[of].value
  const words = single === undefined ? `${name} (${field === 'buy' ? 'compra' : 'venta'})` : name
  return { path: select.value.toLowerCase(), field, words, decimals: Number(decimals) }
}

/** What the pair is at now, which the browser keeps for a minute; null when nothing came. */
async function quoteOf({ path }) {
  const response = await fetch(`/api/v2/${path}`).catch(() => null)
  return response?.ok ? response.json() : null
}

function sentence({ pair, against, condition, threshold, repeats, byMail }, quote, other) {
  if (condition === 'gap' && !isComparable(pair, against)) return UNLIKE
  const units = { valueType: quote.valueType, decimals: pair.decimals }
  const now = Math.round(quote[pair.field] * SCALE)
  if (threshold === null) return `Ahora ${pair.words} vale ${valueText(now, units)}.`

  const { does, stands, isMet } = {
    above: () => level('llegue', 'más', now >= threshold * SCALE),
    below: () => level('baje', 'menos', now <= threshold * SCALE),
    change: () => percent('suba o baje', 'en el día', ['hoy lleva', changeOf(quote, pair)]),
    gap: () =>
      percent('se aparte', `d${against.words}`, ['ahora está a', gapOf(now, against, other)]),
  }[condition]()
  const how = byMail ? 'Te avisamos por correo' : 'Avisamos a tu servidor'
  const often = repeats ? 'cada vez que' : 'cuando'
  const waits = ' Ya se cumple: primero tiene que dejar de cumplirse.'
  return `${how} ${often} ${pair.words} ${does}${stands}.${isMet ? waits : ''}`

  function level(verb, beyond, isMet) {
    const wanted = valueText(Math.round(threshold * SCALE), units)
    const stands = `; ahora vale ${valueText(now, units)}`
    return { does: `${verb} a ${wanted} o ${beyond}`, stands, isMet }
  }

  function percent(verb, where, [so, of]) {
    const wanted = `${String(threshold).replace('.', ',')}\u00a0%`
    const stands = of === null ? '' : `; ${so} ${percentText(of)}`
    return { does: `${verb} ${wanted} ${where}`, stands, isMet: Math.abs(of) >= threshold }
  }
}

function isComparable({ path }, against) {
  return currencyOf(path) === currencyOf(against.path) && path !== against.path
}

/** Percent since midnight, which is told of the sale alone. */
function changeOf({ change }, { field }) {
  return field === 'sell' && change ? change.percent : null
}

function gapOf(now, { field }, other) {
  return other ? percentAbove(now, Math.round(other[field] * SCALE)) : null
}
