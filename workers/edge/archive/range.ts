/** A part of a file: its first and last byte, inclusive. */
export interface ByteRange {
  first: number
  last: number
}

/**
 * The one range that a request asks for (RFC 9110, section 14). Null for the whole file: no range,
 * several, one that is malformed, or an `If-Range` that names another version.
 */
export function readRange(
  headers: Headers,
  size: number,
  etag: string,
): ByteRange | 'unsatisfiable' | null {
  const ifRange = headers.get('If-Range')
  if (ifRange !== null && ifRange !== etag) return null

  const match = /^bytes=(\d*)-(\d*)$/.exec(headers.get('Range')?.replaceAll(' ', '') ?? '')
  const [, from = '', to = ''] = match ?? []
  if (from === '' && to === '') return null

  if (from === '') {
    const length = Math.min(Number(to), size)
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 }
  }
  if (to !== '' && Number(to) < Number(from)) return null
  if (Number(from) >= size) return 'unsatisfiable'
  return { first: Number(from), last: to === '' ? size - 1 : Math.min(Number(to), size - 1) }
}
