/** The API refused or could not answer: its status, its Spanish text, and how long to wait. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** Seconds, when the API said so. */
  readonly retryAfter: number | null

  constructor(status: number, message: string, retryAfter: number | null) {
    super(message)
    this.status = status
    this.retryAfter = retryAfter
  }
}

export interface RequestOptions {
  baseUrl: string
  fetch: typeof fetch
  apiKey: string | undefined
  /** Milliseconds for one try, body included. */
  timeoutMs: number
  /** Tries after the first, on 503, on 429 and when the network failed. */
  retries: number
  /** The longest `Retry-After` worth waiting for, in seconds; a longer one fails at once. */
  maxWaitSeconds: number
  sleep: (milliseconds: number) => Promise<void>
}

/** GETs a JSON answer, waiting and trying again where the API asks for it. */
export async function getJson<Answer>(
  options: RequestOptions,
  path: string,
  query: Record<string, string | number | undefined> = {},
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return (await getOnce(options, path, query)) as Answer
    } catch (error) {
      const wait = waitBefore(attempt + 1, error, options)
      if (wait === null) throw error
      await options.sleep(wait)
    }
  }
}

async function getOnce(
  { baseUrl, fetch, apiKey, timeoutMs }: RequestOptions,
  path: string,
  query: Record<string, string | number | undefined>,
): Promise<unknown> {
  const url = new URL(path, baseUrl)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new Error('timed out')), timeoutMs)
  try {
    const response = await fetch(url, {
      headers: {
        Accept: 'application/json',
        ...(apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }),
      },
      signal: controller.signal,
    })
    const text = await response.text()
    if (response.ok) return JSON.parse(text)

    throw new ApiError(response.status, errorText(text), retryAfter(response))
  } finally {
    clearTimeout(timer)
  }
}

/** Milliseconds to wait before try number `attempt`, or null when the error stands. */
function waitBefore(
  attempt: number,
  error: unknown,
  { retries, maxWaitSeconds }: RequestOptions,
): number | null {
  if (attempt > retries + 1) return null
  if (!(error instanceof ApiError)) return error instanceof SyntaxError ? null : 250 * attempt
  if (error.status !== 429 && error.status !== 503) return null

  const seconds = error.retryAfter ?? attempt
  return seconds > maxWaitSeconds ? null : seconds * 1000
}

function retryAfter(response: Response): number | null {
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds : null
}

/** The text of an Error object; the 429 of date reads is plain text. */
function errorText(body: string): string {
  try {
    const { error } = JSON.parse(body) as { error?: unknown }
    return typeof error === 'string' ? error : body
  } catch {
    return body
  }
}
