import { parseClientAddressHeader } from '../config.ts'

export interface ClientAddressEnv {
  /** The header in which whoever stands before us names the client; Cloudflare's when absent. */
  CLIENT_ADDRESS_HEADER?: string
}

/**
 * The client's address as whoever stands before us says it; a client can write every other header
 * itself. Of a list (`X-Forwarded-For`) the last entry: a proxy adds at the end whom it saw.
 */
export function clientAddress(headers: Headers, env: ClientAddressEnv): string | undefined {
  const text = headers.get(parseClientAddressHeader(env.CLIENT_ADDRESS_HEADER))
  return text?.split(',').at(-1)?.trim()
}
