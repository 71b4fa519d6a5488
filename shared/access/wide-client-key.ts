/**
 * The /48 around a client's /64 (`clientKey`), null for any other client. Whoever holds a /48 has
 * 65,536 keys of their own, so what must not be used up by one needs a second, wider count. An IPv4
 * address has nothing wider that is one holder's.
 */
export function wideClientKey(client: string): string | null {
  return client.endsWith('::/64') ? `${client.split(':', 3).join(':')}::/48` : null
}
