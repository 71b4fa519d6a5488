/** A response, read whole; of a stream of events only the part that was wanted. */
export interface HttpResponse {
  status: number
  headers: Headers
  text: string
}

export interface HttpRequest {
  method?: string
  headers?: Record<string, string>
  body?: unknown
  /** When enough of an endless body was read. */
  until?: (text: string) => boolean
}

export type SendRequest = (path: string, request?: HttpRequest) => Promise<HttpResponse>

/** Cloudflare weakens the ETag of a response that it compresses. */
const UNCOMPRESSED = { 'Accept-Encoding': 'identity' }

/** A deployed service may be far away and cold. */
const PATIENCE_MS = 20_000

/** Sends requests to the service at an address; redirects are not followed. */
export function createSender(url: string): SendRequest {
  return async (path, { method = 'GET', headers = {}, body, until } = {}) => {
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(), PATIENCE_MS)
    try {
      const response = await fetch(new URL(path, url), {
        method,
        headers: {
          ...UNCOMPRESSED,
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        redirect: 'manual',
        signal: controller.signal,
      })
      const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream')
      const isEnough = until ?? (isStream ? () => true : undefined)
      const text = isEnough ? await readUntil(response, isEnough) : await response.text()
      return { status: response.status, headers: response.headers, text }
    } finally {
      clearTimeout(timer)
      // Also ends a stream of which enough was read.
      controller.abort()
    }
  }
}

async function readUntil(response: Response, isEnough: (text: string) => boolean) {
  let text = ''
  for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
    text += part
    if (isEnough(text)) return text
  }
  return text
}
