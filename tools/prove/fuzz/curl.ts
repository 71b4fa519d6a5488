import type { SentRequest } from './request.ts'

/**
 * A request as one line for bash. `…'` quoting shows every byte, and long runs are shortened. What
 * curl cannot send exactly is approximated.
 */
export function toCurl(origin: string, request: SentRequest): string {
  const { method, target, headers, body, framing } = request
  const isPath = target.startsWith('/')
  return [
    'curl -si --path-as-is -g',
    ...(method === 'HEAD' ? ['-I'] : [`-X ${quote(method)}`]),
    ...(isPath ? [] : [`--request-target ${quote(target)}`]),
    ...headers.map(
      ([name, value]) => `-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`,
    ),
    ...(framing === 'chunked' && body ? [`-H ${quote('Transfer-Encoding: chunked')}`] : []),
    ...(body ? [`--data-binary ${quote(Buffer.from(body).toString('latin1'))}`] : []),
    quote(isPath ? origin + target : origin),
  ].join(' ')
}

/** A short text that repeats many times: shown once, with the count. */
const RUN = /(.{1,8}?)\1{49,}/s

function quote(text: string): string {
  const run = RUN.exec(text)
  if (!run) return quotePlain(text)

  const [whole, unit] = run as unknown as [string, string]
  const times = whole.length / unit.length
  const again = `"$(printf -- ${quotePlain(unit.replaceAll('%', '%%') + '%.0s')} {1..${times}})"`
  const before = text.slice(0, run.index)
  const after = text.slice(run.index + whole.length)
  return [before && quotePlain(before), again, after && quote(after)].join('')
}

function quotePlain(text: string): string {
  if (/^[\w./:=@%+,-]+$/.test(text)) return text

  // oxlint-disable-next-line no-control-regex -- which is the point
  const escaped = text.replace(/[\\'\x00-\x1f\x7f-\xff]/g, (char) =>
    char === '\\' || char === "'"
      ? `\\${char}`
      : `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
  return `$'${escaped}'`
}
