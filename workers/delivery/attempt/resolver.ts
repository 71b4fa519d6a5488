import { type DnsAnswer, checkAnswers } from '../../../shared/webhooks/destination/address.ts'
import { setting, type Variables } from '../../../shared/config/config.ts'
import { refuse, type Result } from '../../../shared/result.ts'
import { DeadlinePassed, withDeadline } from '../../../shared/deadline.ts'

/** Why we do not connect to a host. `resolver` is a fault of ours, not of the receiver. */
type ResolveRefusal = 'network' | 'destination' | 'resolver'

/** Resolves a host to addresses that may be used. Each attempt resolves again, without a cache. */
export type Resolve = (
  host: string,
  signal: AbortSignal,
) => Promise<Result<string[], ResolveRefusal>>

/** The resolver's timeout for one query, within the attempt's deadline. */
const RESOLVER_MS = 2000

/** The numbers of record types (RFC 1035, RFC 3596). */
const TYPES = { A: 1, AAAA: 28 } as const

/**
 * Resolves by DNS over HTTPS with JSON answers (decision 49). Queries A and then AAAA, because an
 * attempt has one connection at a time. The configuration refuses `http` resolvers, because whoever
 * can forge the answers decides where deliveries go.
 */
export function createResolver(
  fetch: typeof globalThis.fetch,
  env: Pick<Variables, 'DNS_OVER_HTTPS_URL'>,
): Resolve {
  const resolverUrl = setting(env, 'DNS_OVER_HTTPS_URL')

  return async (host, signal) => {
    const question = (type: keyof typeof TYPES) =>
      withDeadline(RESOLVER_MS, (capped) =>
        lookUp(fetch, resolverUrl, host, type, AbortSignal.any([signal, capped])),
      )
    try {
      return checkAnswers(await question('A'), await question('AAAA'))
    } catch (error) {
      signal.throwIfAborted()
      // A timeout of the resolver counts as a fault of the name's DNS servers (decision 44: whose
      // fault).
      return refuse(error instanceof DeadlinePassed ? 'network' : 'resolver')
    }
  }
}

async function lookUp(
  fetch: typeof globalThis.fetch,
  url: string,
  host: string,
  type: keyof typeof TYPES,
  signal: AbortSignal,
): Promise<DnsAnswer> {
  const question = new URL(url)
  question.searchParams.set('name', host)
  question.searchParams.set('type', type)

  const headers = { Accept: 'application/dns-json' }
  const response = await fetch(question, { headers, redirect: 'manual', signal })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`the resolver answered ${response.status}`)
  }
  const { Status: status, Answer: records = [] } = (await response.json()) as {
    Status?: unknown
    Answer?: { type?: unknown; data?: unknown }[]
  }
  if (typeof status !== 'number') throw new Error('not a DNS answer')

  return {
    rcode: status === 0 ? 'NOERROR' : `RCODE${status}`,
    // Without CNAME records.
    addresses: records.filter((one) => one.type === TYPES[type]).map(({ data }) => String(data)),
  }
}
