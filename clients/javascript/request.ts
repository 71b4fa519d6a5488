/** The base class of all errors that methods throw. */
export class CotizacionesError extends Error {
  override readonly name: string = 'CotizacionesError'
}

/** A refusal of the service, with its status, its Spanish text, and how long to wait. */
export class ApiError extends CotizacionesError {
  override readonly name = 'ApiError'
  readonly status: number
  /** Seconds to wait, from `Retry-After`; null without this header. */
  readonly retryAfter: number | null

  constructor(status: number, message: string, retryAfter: number | null = null) {
    super(message)
    this.status = status
    this.retryAfter = retryAfter
  }
}

/** No complete answer came in time. */
export class RequestTimeoutError extends CotizacionesError {
  override readonly name = 'RequestTimeoutError'
}

/** The connection failed or broke. `cause` is the error of the runtime. */
export class NetworkError extends CotizacionesError {
  override readonly name = 'NetworkError'
}

export interface RequestOptions {
  baseUrl: string
  fetch: typeof fetch
  apiKey: string | undefined
  /** The time limit of one try in milliseconds, body included. */
  timeoutMs: number
  /** The most retries after the first try, on a 503, a 429 or a network failure. */
  retries: number
  /** The longest `Retry-After` to wait for, in seconds; with a longer one the method fails. */
  maxWaitSeconds: number
  /** Waits; resolves at once when the signal is aborted. */
  sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
}

export type Query = Record<string, string | number | boolean | undefined>

export interface ApiRequest {
  path: string
  method?: string
  query?: Query
  body?: unknown
  /** Whether to send the key: public routes ignore it, and browsers need a preflight for it. */
  isPrivate?: boolean
  /**
   * Whether the request is idempotent. A request that is not is retried only after a 429, because
   * the service then did nothing.
   */
  isRepeatable?: boolean
}

/** Requests a JSON answer. Retries and waits as the API asks in `Retry-After`. */
export async function request<Answer>(
  options: RequestOptions,
  { isRepeatable = true, ...asked }: ApiRequest,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await requestOnce(options, asked)
    } catch (error) {
      if (!(error instanceof CotizacionesError)) throw error
      const wait = waitBefore(attempt + 1, error, isRepeatable, options)
      if (wait === null) throw error
      await options.sleep(wait)
    }
  }
}

/** The address of a path, with the parameters that have a value. */
export function addressOf(baseUrl: string, path: string, query: Query = {}): URL {
  const url = new URL(path, baseUrl)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined)
      url.searchParams.set(name, typeof value === 'number' ? plainNumber(value) : String(value))
  }
  return url
}

/** A number with all its digits and no exponent. */
const plainNumber = (value: number) =>
  value.toLocaleString('en-US', { useGrouping: false, maximumSignificantDigits: 17 })

/** The error of an answer that is not 2xx. */
export async function refusalOf(response: Response): Promise<ApiError> {
  // Browsers hide a redirect that they do not follow: its status is 0.
  const isRedirect = response.status === 0 || Math.floor(response.status / 100) === 3
  const text = isRedirect
    ? `Redirige a ${response.headers.get('Location') ?? 'otra dirección'}`
    : errorText(await response.text())
  return new ApiError(response.status, text, retryAfter(response))
}

async function requestOnce<Answer>(
  { baseUrl, fetch, apiKey, timeoutMs }: RequestOptions,
  { path, method = 'GET', query, body, isPrivate = false }: Omit<ApiRequest, 'isRepeatable'>,
): Promise<Answer> {
  const url = addressOf(baseUrl, path, query)
  const hasKey = isPrivate && apiKey !== undefined
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, {
      method,
      headers: {
        Accept: 'application/json',
        ...(hasKey ? { Authorization: `Bearer ${apiKey}` } : {}),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // Some runtimes would send the key to the target of a redirect.
      ...(hasKey ? { redirect: 'manual' } : {}),
      signal,
    })
    if (!response.ok) throw await refusalOf(response)

    return parsed(response.status, await response.text()) as Answer
  } catch (error) {
    throw signal.aborted ? new RequestTimeoutError('timed out') : asNetworkError(error)
  }
}

/** The JSON of an answer. Any other text, such as a proxy's page, is an `ApiError`. */
export function parsed(status: number, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw Object.assign(new ApiError(status, 'La respuesta no es JSON'), { cause })
  }
}

/** Converts an error of the runtime's `fetch` to an error of this client. */
export function asNetworkError(cause: unknown): CotizacionesError {
  if (cause instanceof CotizacionesError) return cause
  return new NetworkError(cause instanceof Error ? cause.message : String(cause), { cause })
}

/** Milliseconds to wait before try number `attempt`; null when there is no further try. */
function waitBefore(
  attempt: number,
  error: CotizacionesError,
  isRepeatable: boolean,
  { retries, maxWaitSeconds }: RequestOptions,
): number | null {
  if (attempt > retries + 1) return null
  if (!(error instanceof ApiError)) return isRepeatable ? 250 * attempt : null
  if (error.status !== 429 && !(error.status === 503 && isRepeatable)) return null

  const seconds = error.retryAfter ?? attempt
  return seconds > maxWaitSeconds ? null : seconds * 1000
}

function retryAfter(response: Response): number | null {
  const text = response.headers.get('Retry-After')
  return text !== null && /^\d+$/.test(text) ? Number(text) : null
}

/** The field `error` of a JSON body, or the whole body: the 429 of date reads is plain text. */
function errorText(body: string): string {
  try {
    const { error } = JSON.parse(body) as { error?: unknown }
    return typeof error === 'string' ? error : body
  } catch {
    return body
  }
}
