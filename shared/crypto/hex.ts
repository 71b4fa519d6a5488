/** Lower-case hex. The platform has `toHex`, but the tools' Node does not yet. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
