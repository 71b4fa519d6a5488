/**
 * Whether `Accept` asks for JSON in preference to HTML: it names `application/json` or
 * `application/*`, with `text/html` absent or ranked lower; a tie is HTML (decision 6).
 */
export function prefersJson(accept: string | null): boolean {
  const json = Math.max(quality(accept, 'application/json'), quality(accept, 'application/*'))
  return json > 0 && json > quality(accept, 'text/html')
}

/** The quality that an `Accept` header gives a media range it names, 0 when it does not name it. */
export function quality(accept: string | null, range: string): number {
  let best = 0
  for (const part of (accept ?? '').split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    if (name !== range) continue

    const q = parameters.find((parameter) => parameter.startsWith('q='))
    const value = q === undefined ? 1 : Number(q.slice(2))
    if (value > best && value <= 1) best = value
  }
  return best
}
