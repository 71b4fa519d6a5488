import type { DeliveryRequest } from './transport.ts'

/** RFC 9110 field content, in the printable ASCII that decision 30 allows. */
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

/**
 * The bytes of one HTTP/1.1 POST; the last of its connection says so. A value that could break out of its header throws: checked at
 * creation, and here because here it would matter.
 */
export function requestBytes(
  { url, headers, body }: Omit<DeliveryRequest, 'endpoints'>,
  { isLast }: { isLast: boolean },
): Uint8Array {
  const encoder = new TextEncoder()
  const content = encoder.encode(body)
  const lines = [
    `POST ${url.pathname}${url.search} HTTP/1.1`,
    `Host: ${url.host}`,
    ...Object.entries(headers).map(([name, value]) => headerLine(name, value)),
    `Content-Length: ${content.length}`,
    ...(isLast ? ['Connection: close'] : []),
  ]
  const head = encoder.encode(`${lines.join('\r\n')}\r\n\r\n`)

  const bytes = new Uint8Array(head.length + content.length)
  bytes.set(head)
  bytes.set(content, head.length)
  return bytes
}

function headerLine(name: string, value: string): string {
  if (!VALUE.test(value)) throw new TypeError(`not a header value: ${name}`)
  return `${name}: ${value}`
}
