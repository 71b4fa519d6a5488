/** RFC 3492, 5: the parameters of Punycode as IDNA uses it. */
const BASE = 36
const T_MIN = 1
const T_MAX = 26
const SKEW = 38
const DAMP = 700
const INITIAL_BIAS = 72
const INITIAL_CODE = 0x80

const LAST_CODE = 0x10ffff
const DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789'
const PREFIX = 'xn--'

/**
 * Whether the punycode labels of a lower-case host are as the URL parser would encode them. Parsers
 * differ: Node's refuses labels that do not decode, workerd's does not check an ASCII host.
 */
export function isSoundPunycode(host: string): boolean {
  const labels = host.split('.').map(unicodeOf)
  if (labels.includes(null)) return false

  const unicode = labels.join('.')
  return unicode === host || URL.parse(`https://${unicode}/`)?.hostname === host
}

/** A label as people read it; null when it does not decode. */
function unicodeOf(label: string): string | null {
  return label.startsWith(PREFIX) ? decode(label.slice(PREFIX.length)) : label
}

/** RFC 3492, 6.2. Null also where nothing but ASCII comes out, which is not written so. */
function decode(encoded: string): string | null {
  const split = encoded.lastIndexOf('-')
  const codes = split > 0 ? Array.from(encoded.slice(0, split), (c) => c.charCodeAt(0)) : []
  const rest = encoded.slice(split + 1)
  if (rest === '') return null

  let code = INITIAL_CODE
  let position = 0
  let bias = INITIAL_BIAS
  for (let at = 0; at < rest.length;) {
    const delta = readDelta(rest, at, bias)
    if (!delta) return null
    const count = codes.length + 1
    const next = position + delta.value
    bias = adapt(delta.value, count, position === 0 && code === INITIAL_CODE)
    at = delta.end
    code += Math.floor(next / count)
    position = next % count
    if (code > LAST_CODE) return null
    codes.splice(position, 0, code)
    position += 1
  }
  return String.fromCodePoint(...codes)
}

/** A number of variable length, and where it ends; null when it does not end. */
function readDelta(text: string, start: number, bias: number) {
  let value = 0
  let weight = 1
  for (let at = start; at < text.length; at += 1) {
    const digit = DIGITS.indexOf(text[at]!)
    if (digit < 0) return null
    value += digit * weight
    const threshold = Math.min(Math.max(BASE * (at - start + 1) - bias, T_MIN), T_MAX)
    if (digit < threshold) return { value, end: at + 1 }
    weight *= BASE - threshold
  }
  return null
}

function adapt(delta: number, count: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2))
  rest += Math.floor(rest / count)
  let bias = 0
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; bias += BASE) rest = Math.floor(rest / (BASE - T_MIN))
  return bias + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW))
}
