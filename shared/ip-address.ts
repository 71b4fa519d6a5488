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

/** Decimal without leading zeros, because some parsers read `010` as octal. */
function isOctet(text: string): boolean {
  return /^(0|[1-9]\d{0,2})$/.test(text) && Number(text) <= 255
}

/** The URL parser checks the form and writes the longest run of zero groups as `::`. */
function ipv6Bytes(text: string): Uint8Array | null {
  const host = /^[\da-f:.]+$/i.test(text) && URL.parse(`http://[${text}]`)?.hostname
  if (!host) return null

  const [head, tail] = host.slice(1, -1).split('::')
  const [first, last] = [groups(head), groups(tail)]
  const zeros = Array<number>(8 - first.length - last.length).fill(0)
  return Uint8Array.from(
    [...first, ...zeros, ...last].flatMap((group) => [group >> 8, group & 255]),
  )
}

function groups(text = ''): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
}
