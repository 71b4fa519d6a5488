import type { FileRecord } from './file-record.ts'

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
