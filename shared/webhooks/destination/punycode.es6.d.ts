/** The package has no types of its own, and the published types name another file. */
declare module 'punycode/punycode.es6.js' {
  /** Decodes each label that begins with `xn--`; throws `RangeError` where one does not decode. */
  export function toUnicode(host: string): string
}
