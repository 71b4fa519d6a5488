import { toUnicode } from 'punycode/punycode.es6.js'

/**
 * Whether the punycode labels of a lower-case host are as the URL parser would encode them. Parsers
 * differ: Node's refuses labels that do not decode, workerd's does not check an ASCII host.
 */
export function isSoundPunycode(host: string): boolean {
  try {
    const unicode = toUnicode(host)
    return unicode === host || URL.parse(`https://${unicode}/`)?.hostname === host
  } catch {
    return false // a label does not decode
  }
}
