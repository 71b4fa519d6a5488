/** The number of bytes of a text in either alphabet of base64; 0 when it is not base64. */
export function byteLength(encoded: string): number {
  try {
    return atob(encoded.replaceAll('-', '+').replaceAll('_', '/')).length
  } catch {
    return 0
  }
}
