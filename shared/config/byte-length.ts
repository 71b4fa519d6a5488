/** The bytes of a text in either alphabet of base64; 0 when it is none. */
export function byteLength(encoded: string): number {
  try {
    return atob(encoded.replaceAll('-', '+').replaceAll('_', '/')).length
  } catch {
    return 0
  }
}
