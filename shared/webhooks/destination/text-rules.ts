import type { TextRule } from './rule.ts'

/** In characters; the same after normalising. */
export const URL_LENGTH_MAX = 2048

/**
 * What is refused by its text. The WHATWG parser strips, trims and repairs; a receiver that means
 * well needs none of it, so nothing is repaired.
 */
export const TEXT_RULES: readonly TextRule[] = [
  {
    name: 'length',
    reason: `La URL debe tener entre 1 y ${URL_LENGTH_MAX} caracteres`,
    refuses: (raw) => raw.length < 1 || raw.length > URL_LENGTH_MAX,
  },
  {
    // The parser strips tabs and newlines anywhere, and trims the rest.
    name: 'control',
    reason: 'La URL no puede contener espacios ni caracteres de control',
    // oxlint-disable-next-line no-control-regex
    refuses: (raw) => /[\u0000-\u0020\u007f]/.test(raw),
  },
  {
    // The parser reads it as a slash.
    name: 'backslash',
    reason: 'La URL no puede contener barras invertidas',
    refuses: (raw) => raw.includes('\\'),
  },
  {
    // The parser repairs `https:example.com` and `https:///example.com`.
    name: 'scheme',
    reason: 'La URL debe empezar con https:// seguido del host',
    refuses: (raw) => !/^https:\/\/[^/]/i.test(raw),
  },
  {
    // The parsed user name of `https://@example.com/` is empty.
    name: 'userinfo',
    reason: 'La URL no puede llevar usuario ni contraseña',
    refuses: (raw) => authorityOf(raw).includes('@'),
  },
  {
    // The parsed fragment of `https://example.com/#` is empty.
    name: 'fragment',
    reason: 'La URL no puede llevar fragmento (#)',
    refuses: (raw) => raw.includes('#'),
  },
  {
    name: 'encoded-host',
    reason: 'El host de la URL no puede llevar caracteres codificados con %',
    refuses: (raw) => authorityOf(raw).includes('%'),
  },
]

/** What stands between `https://` and the first `/`, `?` or `#` of the text. */
function authorityOf(raw: string): string {
  return /^[a-z][a-z0-9+.-]*:\/*([^/?#]*)/i.exec(raw)?.[1] ?? ''
}
