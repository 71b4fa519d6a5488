import { createReadStream } from 'node:fs'

/** The rows of a JSON array or of a CSV with a header, read as the file streams in. */
export async function* records(
  file: string,
  onBytes: (count: number) => void = () => {},
): AsyncGenerator<FileRecord> {
  const stream = createReadStream(file, { encoding: 'utf8', highWaterMark: 256 * 1024 })
  const chunks = counted(stream, onBytes)
  const first = await chunks.next()
  if (first.done) return

  const text = first.value.replace(/^\uFEFF/, '')
  const whole = resumed(text, chunks)
  yield* text.trimStart().startsWith('[') ? jsonRecords(whole) : csvRecords(whole)
}

async function* counted(
  chunks: AsyncIterable<string>,
  onBytes: (count: number) => void,
): AsyncGenerator<string> {
  for await (const chunk of chunks) {
    onBytes(Buffer.byteLength(chunk))
    yield chunk
  }
}

async function* resumed(first: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield first
  yield* rest
}

/** The rows of a CSV with a header (RFC 4180, LF or CRLF), as the text comes in. */
export async function* csvRecords(chunks: AsyncIterable<string>): AsyncGenerator<FileRecord> {
  let header: string[] | null = null

  for await (const line of logicalLines(chunks)) {
    if (line === '') continue
    const fields = splitFields(line)
    if (header) {
      yield Object.fromEntries(header.map((name, index) => [name, fields[index] ?? '']))
    } else {
      header = fields.map((name) => name.trim())
    }
  }
}

/** Lines, where a line break inside quotes does not end one. */
async function* logicalLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''

  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n')
    let open = ''
    for (const [index, part] of lines.entries()) {
      const line = open + part
      if (index === lines.length - 1) rest = line
      else if (hasOpenQuote(line)) open = `${line}\n`
      else {
        open = ''
        yield line.replace(/\r$/, '')
      }
    }
  }
  yield rest.replace(/\r$/, '')
}

function hasOpenQuote(line: string): boolean {
  return line.includes('"') && (line.match(/"/g)?.length ?? 0) % 2 === 1
}

function splitFields(line: string): string[] {
  if (!line.includes('"')) return line.split(',')

  const fields = line.match(/("(?:[^"]|"")*"|[^,]*)(,|$)/g) ?? []
  const whole = line.endsWith(',') ? fields : fields.slice(0, -1)
  return whole.map((field) => unquote(field.replace(/,$/, '')))
}

function unquote(field: string): string {
  return field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field
}

/**
 * The flat objects of a JSON array, each parsed as soon as its end has come in, so that the array
 * is never held whole. Objects within objects are not of these formats and end in an error.
 */
export async function* jsonRecords(chunks: AsyncIterable<string>): AsyncGenerator<FileRecord> {
  let rest = ''

  for await (const chunk of chunks) {
    rest += chunk
    for (;;) {
      const end = endOfObject(rest)
      if (end === -1) break
      yield JSON.parse(rest.slice(rest.indexOf('{'), end)) as FileRecord
      rest = rest.slice(end)
    }
  }
  if (!/^[\s,]*\]\s*$/.test(rest) && !/^\s*\[\s*\]\s*$/.test(rest)) {
    throw new SyntaxError('the JSON array ends early')
  }
}

/** A quoted text, unclosed where the input ends first, or a closing brace. */
const TEXT_OR_END = /"(?:[^"\\]|\\.)*("|\\?$)|\}/g

/**
 * Where the first object ends, behind its brace; -1 while it is not whole. Braces in texts do not
 * count.
 */
function endOfObject(text: string): number {
  for (const match of text.matchAll(TEXT_OR_END)) {
    if (match[0] === '}') return match.index + 1
    if (match[1] !== '"') return -1
  }
  return -1
}

/** One row of a file, whatever its form: fields by name. */
export type FileRecord = Record<string, unknown>
