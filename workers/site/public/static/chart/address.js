/* Keeps what is chosen in the address. */

/** Sets the controls from the address; unknown values change nothing. */
export function readAddress() {
  const query = new URLSearchParams(location.search)
  const range = query.get('periodo')
  for (const input of document.querySelectorAll('[data-ranges] input')) {
    if (input.value === range) input.checked = true
  }
  const candles = document.querySelector('[data-candles]')
  if (candles) candles.checked = query.get('dibujo') === 'velas'
  if (!query.has('comparar')) return
  const compared = query.get('comparar').split(',')
  for (const box of document.querySelectorAll('[data-compare] input')) {
    box.checked = compared.includes(box.value)
  }
}

export function writeAddress() {
  const query = new URLSearchParams(location.search)
  const put = (name, value, standard) => {
    query.delete(name) // so that the order of parameters is always the same
    if (value !== standard) query.set(name, value)
  }
  const ranges = document.querySelector('[data-ranges]')
  const boxes = [...document.querySelectorAll('[data-compare] input')]
  const names = (isNamed) =>
    boxes
      .filter(isNamed)
      .map((box) => box.value)
      .join(',')
  put('periodo', ranges.querySelector(':checked').value, ranges.querySelector('[checked]').value)
  put('dibujo', document.querySelector('[data-candles]')?.checked ? 'velas' : 'linea', 'linea')
  put(
    'comparar',
    names((box) => box.checked),
    names((box) => box.defaultChecked),
  )
  // Slashes and commas need no escape in a query.
  const text = query.toString().replaceAll('%2F', '/').replaceAll('%2C', ',')
  history.replaceState(null, '', `${location.pathname}${text && '?'}${text}${location.hash}`)
}
