import type { FileRecord } from './file-record.ts'

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

/** A text with its closing quote, or without one where the input ends first; or a closing brace. */
const TEXT_OR_END = /"(?:[^"\\]|\\.)*("|\\?$)|\}/g

/** Where the first object ends, behind its brace; -1 while it is not whole. Braces in texts are none. */
function endOfObject(text: string): number {
  for (const match of text.matchAll(TEXT_OR_END)) {
    if (match[0] === '}') return match.index + 1
    if (match[1] !== '"') return -1
  }
  return -1
}
