import { parseClientAddressHeader } from '../config/config.ts'

export interface ClientAddressEnv {
  /** The header in which the proxy in front names the client; Cloudflare's when absent. */
  CLIENT_ADDRESS_HEADER?: string
}

/**
 * The client's address from the header of the proxy in front; a client can write every other header
 * itself. Of a list (`X-Forwarded-For`) the last entry, which that proxy added.
 */
export function clientAddress(headers: Headers, env: ClientAddressEnv): string | undefined {
  const text = headers.get(parseClientAddressHeader(env.CLIENT_ADDRESS_HEADER))
  return text?.split(',').at(-1)?.trim()
}
