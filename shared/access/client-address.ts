import { setting } from '../config/config.ts'

export interface ClientAddressEnv {
  /** The header in which the proxy in front of us names the client. Absent, it is Cloudflare's. */
  CLIENT_ADDRESS_HEADER?: string
}

/**
 * The client's address, from the header that the proxy in front of us sets: clients can forge every
 * other header. In a list (`X-Forwarded-For`) it is the last entry, which that proxy added.
 */
export function clientAddress(headers: Headers, env: ClientAddressEnv): string | undefined {
  const text = headers.get(setting(env, 'CLIENT_ADDRESS_HEADER'))
  return text?.split(',').at(-1)?.trim()
}
