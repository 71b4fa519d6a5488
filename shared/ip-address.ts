/** IP addresses as text and as bytes. */

export function isIpv4(text: string): boolean {
  return ipv4Bytes(text) !== null
}

export function isIpv6(text: string): boolean {
  return ipv6Bytes(text) !== null
}

/** The 4 or 16 bytes of an address in its usual text form, or null. Zone ids are not accepted. */
export function addressBytes(text: string): Uint8Array | null {
  return text.includes(':') ? ipv6Bytes(text) : ipv4Bytes(text)
}

function ipv4Bytes(text: string): Uint8Array | null {
  const parts = text.split('.')
  return parts.length === 4 && parts.every(isOctet) ? Uint8Array.from(parts, Number) : null
}

/** Decimal without leading zeros: some readers take `010` for octal. */
function isOctet(text: string): boolean {
  return /^(0|[1-9]\d{0,2})$/.test(text) && Number(text) <= 255
}

/** RFC 4291, 2.2: eight groups; one `::` for zero groups; the last two may be an IPv4 address. */
function ipv6Bytes(text: string): Uint8Array | null {
  const halves = text.split('::')
  if (halves.length > 2) return null

  const [head, tail] = halves.map((half, index) =>
    half === '' ? [] : groups(half, index === halves.length - 1),
  )
  if (!head || (halves.length === 2 && !tail)) return null
  if (!tail) return head.length === 8 ? toBytes(head) : null

  const zeros = 8 - head.length - tail.length
  return zeros < 1 ? null : toBytes([...head, ...Array<number>(zeros).fill(0), ...tail])
}

function groups(text: string, mayEndInIpv4: boolean): number[] | null {
  const parts = text.split(':')
  const last = parts.at(-1)!
  const ipv4 = mayEndInIpv4 && last.includes('.') ? ipv4Bytes(last) : null
  const hex = ipv4 ? parts.slice(0, -1) : parts
  if (!hex.every((part) => /^[0-9a-f]{1,4}$/i.test(part))) return null

  const numbers = hex.map((part) => Number.parseInt(part, 16))
  return ipv4 ? [...numbers, ipv4[0]! * 256 + ipv4[1]!, ipv4[2]! * 256 + ipv4[3]!] : numbers
}

function toBytes(groups: number[]): Uint8Array {
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 255]))
}
