/** What clients without a usable address share: one allowance for all of them, so no way round. */
export const UNKNOWN_CLIENT = 'unknown'

/**
 * Who a client is for a rate limit: its IPv4 address, or the /64 of its IPv6 address, because one
 * subscriber holds a whole /64. Every spelling of an address gives the same key, and an IPv4
 * address written as IPv6 (`::ffff:192.0.2.1`) is that IPv4 address.
 */
export function clientKey(address: string | null | undefined): string {
  if (!address) return UNKNOWN_CLIENT
  if (isIpv4(address)) return address

  const groups = parseIpv6(address)
  if (!groups) return UNKNOWN_CLIENT
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    return mappedIpv4(groups[6]!, groups[7]!)
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

function isIpv4(address: string): boolean {
  const parts = address.split('.')
  return (
    parts.length === 4 &&
    parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
  )
}

/** The eight groups of an IPv6 address. The platform's URL parser knows every spelling. */
function parseIpv6(address: string): number[] | null {
  if (!/^[0-9a-f:.]+$/i.test(address) || !address.includes(':')) return null

  const url = URL.parse(`http://[${address}]/`)
  if (!url) return null

  const [head = '', tail] = url.hostname.slice(1, -1).split('::')
  const left = toGroups(head)
  const right = toGroups(tail ?? '')
  const gap = tail === undefined ? 0 : 8 - left.length - right.length
  return [...left, ...Array<number>(gap).fill(0), ...right]
}

function toGroups(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
}

function mappedIpv4(high: number, low: number): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
}
