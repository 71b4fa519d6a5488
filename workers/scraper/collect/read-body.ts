import { emptyError, SourceError } from '../sources/parsing/source-error.ts'

const MAX_BYTES = 2 * 1024 * 1024

/**
 * The text of a response, UTF-8. Stops reading past 2 MiB. `Content-Length` does not help: it may
 * be absent, wrong, or of the compressed form.
 */
export async function readBody(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let bytes = 0
  let text = ''
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    // Leaving the loop cancels the stream.
    if (bytes > MAX_BYTES) throw new SourceError('too_large', 'is over 2 MiB')

    text += decoder.decode(chunk, { stream: true })
  }
  text += decoder.decode()
  if (text.trim() === '') throw emptyError('is empty')

  return text
}
