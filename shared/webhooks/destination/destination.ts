/**
 * Deliveries may go only to public HTTPS hosts on port 443 (decision 31: no inner addresses). These
 * checks need no network. They run when a webhook is created or edited and again at every attempt.
 * At every attempt, address.ts also checks the DNS answers.
 */
import { toUnicode } from 'punycode/punycode.es6.js'
import { parsePublicOrigin } from '../../config/public-origin.ts'
import { addressBytes } from '../../ip-address.ts'
import { ok, refuse, type Result } from '../../result.ts'
import { isGlobalAddress } from './address.ts'

export interface Destination {
  /** Normalised: this URL is stored, shown to its owner and requested. */
  url: string
  /** A name in lower case and punycode, or an IP address without brackets. */
  host: string
  /** Whether `host` is an address, which is not resolved. */
  isAddress: boolean
}

/** Why a destination is refused: a stable name, and the sentence for its owner. */
interface DestinationRefusal {
  rule: string
  reason: string
}

/** The destination of a URL as its owner sent it, or the first rule that refuses it. */
export function checkDestination(
  rawUrl: string,
  ownHosts: readonly string[],
): Result<Destination, DestinationRefusal> {
  const refusedText = TEXT_RULES.find((rule) => rule.refuses(rawUrl))
  if (refusedText) return refuse(named(refusedText))

  const candidate = readCandidate(rawUrl, ownHosts)
  if (!candidate) return refuse({ rule: 'unparseable', reason: 'La URL no es válida' })

  const refusedHost = HOST_RULES.find((rule) => rule.refuses(candidate))
  if (refusedHost) return refuse(named(refusedHost))

  return ok({ url: candidate.url.href, host: candidate.host, isAddress: candidate.isAddress })
}

/**
 * Masks a URL: scheme and host, then `/***` instead of a path or query, because the path of a chat
 * webhook is a credential (decisions 29 and 46: masked destinations).
 */
export function maskDestination(url: string): string {
  const { origin, pathname, search } = new URL(url)
  return pathname === '/' && search === '' ? origin : `${origin}/***`
}

/** The hosts of `PUBLIC_ORIGIN`, in the form of parsed destinations. */
export function parseHosts(list: string | undefined): string[] {
  return parsePublicOrigin(list).map(hostOf)
}

/** The host of a request, in the form of `parseHosts`. It is always one of our own hosts. */
export function requestHost(requestUrl: string): string {
  return hostOf(new URL(requestUrl)).replace(/\.$/, '')
}

function readCandidate(raw: string, ownHosts: readonly string[]): Candidate | null {
  const url = URL.parse(raw)
  if (!url) return null

  const host = hostOf(url)
  const isAddress = addressBytes(host) !== null
  return { url, host, isAddress, ownHosts }
}

function hostOf(url: { hostname: string }): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
}

function named({ name, reason }: { name: string; reason: string }): DestinationRefusal {
  return { rule: name, reason }
}

/** A destination that is being checked, as the URL parser read it. */
interface Candidate {
  url: URL
  /** The parser's host: lower case, punycode, and an IPv6 address without its brackets. */
  host: string
  isAddress: boolean
  /** This service's own hosts, in the parser's form. */
  ownHosts: readonly string[]
}

interface Rule<Subject> {
  name: string
  /** For the owner: a Spanish sentence without final stop. */
  reason: string
  refuses(subject: Subject): boolean
}

/** In characters, before and after normalisation. */
const URL_LENGTH_MAX = 2048

/**
 * Rules on the text before the URL parser, which repairs some wrong texts. A correct URL needs no
 * repair, so these rules refuse what the parser would repair.
 */
const TEXT_RULES: readonly Rule<string>[] = [
  {
    name: 'length',
    reason: `La URL debe tener entre 1 y ${URL_LENGTH_MAX} caracteres`,
    refuses: (raw) => raw.length < 1 || raw.length > URL_LENGTH_MAX,
  },
  {
    // The parser strips tabs and newlines anywhere, and trims the rest.
    name: 'control',
    reason: 'La URL no puede contener espacios ni caracteres de control',
    // oxlint-disable-next-line no-control-regex
    refuses: (raw) => /[\u0000-\u0020\u007f]/.test(raw),
  },
  {
    // The parser reads a backslash as a slash.
    name: 'backslash',
    reason: 'La URL no puede contener barras invertidas',
    refuses: (raw) => raw.includes('\\'),
  },
  {
    // The parser repairs `https:example.com` and `https:///example.com`.
    name: 'scheme',
    reason: 'La URL debe empezar con https:// seguido del host',
    refuses: (raw) => !/^https:\/\/[^/]/i.test(raw),
  },
  {
    // The parsed user name of `https://@example.com/` is empty.
    name: 'userinfo',
    reason: 'La URL no puede llevar usuario ni contraseña',
    refuses: (raw) => authorityOf(raw).includes('@'),
  },
  {
    // The parsed fragment of `https://example.com/#` is empty.
    name: 'fragment',
    reason: 'La URL no puede llevar fragmento (#)',
    refuses: (raw) => raw.includes('#'),
  },
  {
    name: 'encoded-host',
    reason: 'El host de la URL no puede llevar caracteres codificados con %',
    refuses: (raw) => authorityOf(raw).includes('%'),
  },
]

/** The part between `https://` and the first `/`, `?` or `#` of the text. */
function authorityOf(raw: string): string {
  return /^[a-z][a-z0-9+.-]*:\/*([^/?#]*)/i.exec(raw)?.[1] ?? ''
}

function wordsOf(text: string): string[] {
  return text.trim().split(/\s+/)
}

/** Top-level names that never lead to a public host (RFC 6761, 6762, 8375, 9476, and practice). */
const SPECIAL_SUFFIXES = wordsOf(`
  localhost localdomain localdomain6 local internal home.arpa onion alt lan intranet corp home
  private
`)

/** Letters, digits, `_` and inner hyphens, 1 to 63 of them. */
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/

const NAME_LENGTH_MAX = 253

/** Rules on the parsed URL. None of them queries the DNS. */
const HOST_RULES: readonly Rule<Candidate>[] = [
  {
    // Percent-encoding by the parser may lengthen a text beyond the limit.
    name: 'normalised-length',
    reason: `La URL normalizada supera los ${URL_LENGTH_MAX} caracteres`,
    refuses: ({ url }) => url.href.length > URL_LENGTH_MAX,
  },
  {
    // The parser removes the default port 443. Other ports would let users scan ports through us.
    name: 'port',
    reason: 'La URL debe usar el puerto 443',
    refuses: ({ url }) => url.port !== '',
  },
  {
    name: 'address',
    reason: 'La dirección IP de la URL no es pública',
    refuses: ({ host, isAddress }) => isAddress && !isGlobalAddress(host),
  },
  {
    // `https://0127.0.0.1/` never reaches this rule: the parser reads it as 87.0.0.1.
    name: 'host-form',
    reason: 'El host de la URL no es un nombre de dominio válido',
    refuses: ({ host, isAddress }) =>
      !isAddress && !(isWellFormed(host) && isSoundPunycode(host.replace(/\.$/, ''))),
  },
  {
    // Allows one spelling per name, so that the comparisons below need no second one.
    name: 'trailing-dot',
    reason: 'El host de la URL no puede terminar en punto',
    refuses: ({ host, isAddress }) => !isAddress && host.endsWith('.'),
  },
  {
    name: 'single-label',
    reason: 'El host de la URL debe ser un nombre público completo, con dominio',
    refuses: ({ host, isAddress }) => !isAddress && !host.includes('.'),
  },
  {
    name: 'special-use',
    reason: 'El host de la URL pertenece a un dominio local o reservado',
    refuses: ({ host }) => SPECIAL_SUFFIXES.some((suffix) => isUnder(host, suffix)),
  },
  {
    name: 'metadata-host',
    reason: 'El host de la URL es un servicio de metadatos',
    refuses: ({ host }) => METADATA_NAMES.some((name) => isUnder(host, name)),
  },
  {
    // The platform answers a Worker that calls its own zone with an error, or skips the Worker.
    name: 'own-host',
    reason: 'La URL no puede apuntar a este mismo servicio',
    refuses: ({ host, ownHosts }) => ownHosts.includes(host),
  },
]

function isWellFormed(host: string): boolean {
  const name = host.endsWith('.') ? host.slice(0, -1) : host
  return name.length <= NAME_LENGTH_MAX && name.split('.').every((label) => LABEL.test(label))
}

function isUnder(host: string, suffix: string): boolean {
  return host === suffix || host.endsWith(`.${suffix}`)
}

/**
 * Whether the punycode labels of a lower-case host are as the URL parser would encode them. Node's
 * parser itself refuses labels that do not decode, but workerd's does not check ASCII hosts.
 */
export function isSoundPunycode(host: string): boolean {
  try {
    const unicode = toUnicode(host)
    return unicode === host || URL.parse(`https://${unicode}/`)?.hostname === host
  } catch {
    return false // a label does not decode
  }
}

/** Hosts of metadata services. Their subdomains are refused too. */
const METADATA_HOSTS = wordsOf(`
  metadata.goog api.metadata.cloud.ibm.com api.service.softlayer.com metadata.yandexcloud.net
  metadata.maas.io
`)

/** Where providers keep, or kept, a host called `metadata` or `instance-data`. */
const PROVIDER_DOMAINS = wordsOf(`
  aliyun.com aliyuncs.com alibabacloud.com amazonaws.com azure.com azure.net windows.net
  brightbox.com cherryservers.com digitalocean.com equinix.com platformequinix.com
  platformequinix.net packet.com packet.net packethost.net exoscale.ch exoscale.com google.com
  googleapis.com hetzner.cloud hetzner.com huaweicloud.com myhuaweicloud.com cloud.ibm.com
  softlayer.com joyent.com linode.com oraclecloud.com oraclevcn.com ovh.com ovh.net rackspace.com
  scaleway.com scw.cloud qcloud.com tencent.com tencentcloud.com tencentyun.com tencentyun.net
  upcloud.com volces.com vultr.com yandexcloud.net
`)

/**
 * Public names of servers that return a cloud's instance metadata, including credentials. The DNS
 * check also refuses most of them by address, but this list needs no DNS.
 */
const METADATA_NAMES = [
  ...METADATA_HOSTS,
  ...PROVIDER_DOMAINS.flatMap((domain) => [`metadata.${domain}`, `instance-data.${domain}`]),
]
