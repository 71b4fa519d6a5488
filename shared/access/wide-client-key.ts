/**
 * The /48 around a client's /64 (`clientKey`); null for any other client. Whoever holds a /48 has
 * 65,536 client keys, so limits that protect all clients need a second, wider count. IPv4 has no
 * wider block that belongs to one holder.
 */
export function wideClientKey(client: string): string | null {
  return client.endsWith('::/64') ? `${client.split(':', 3).join(':')}::/48` : null
}
