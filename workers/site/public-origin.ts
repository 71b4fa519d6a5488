import { parsePublicHosts } from '../../shared/config/config.ts'

/**
 * The origin under which people know us. Where PUBLIC_HOSTS says who we are, a request that came
 * under another name cannot put that name into a sign-in link.
 */
export function publicOrigin(url: string, publicHosts: string | undefined): string {
  const { origin, host, hostname } = new URL(url)
  const ours = parsePublicHosts(publicHosts).map(({ host }) => host)
  if (ours.length === 0 || ours.includes(hostname) || ours.includes(host)) return origin
  return `https://${ours[0]}`
}
