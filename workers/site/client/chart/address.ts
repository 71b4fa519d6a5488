/** Keeps what is chosen in the address. */
import { find, findAll } from '../dom.ts'

type Box = HTMLInputElement
const ranges = () => findAll<Box>('[data-ranges] input')
const compared = () => findAll<Box>('[data-compare] input')
const candles = () => document.querySelector<Box>('[data-candles]')

/** Sets the controls from the address; unknown values change nothing. */
export function readAddress(): void {
  const query = new URLSearchParams(location.search)
  for (const input of ranges()) if (input.value === query.get('periodo')) input.checked = true
  const box = candles()
  if (box) box.checked = query.get('dibujo') === 'velas'
  const names = query.get('comparar')?.split(',')
  if (names) for (const box of compared()) box.checked = names.includes(box.value)
}

export function writeAddress(): void {
  const query = new URLSearchParams(location.search)
  const put = (name: string, value: string, standard: string) => {
    query.delete(name) // so that the order of parameters is always the same
    if (value !== standard) query.set(name, value)
  }
  const names = (isNamed: (box: Box) => boolean) =>
    compared()
      .filter(isNamed)
      .map(({ value }) => value)
      .join(',')
  const usual = find<Box>('[data-ranges] [checked]').value
  put('periodo', find<Box>('[data-ranges] :checked').value, usual)
  put('dibujo', candles()?.checked ? 'velas' : 'linea', 'linea')
  put(
    'comparar',
    names((box) => box.checked),
    names((box) => box.defaultChecked),
  )
  // Slashes and commas need no escape in a query.
  const text = query.toString().replaceAll('%2F', '/').replaceAll('%2C', ',')
  history.replaceState(null, '', `${location.pathname}${text && '?'}${text}${location.hash}`)
}
