import { createReadStream } from 'node:fs'
import { csvRecords } from './csv-records.ts'
import type { FileRecord } from './file-record.ts'
import { jsonRecords } from './json-records.ts'

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
