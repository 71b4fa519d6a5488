/**
 * Why a source failed: `timeout` (8 s, body included), `network`, `http` (not 200), `too_large`
 * (over 2 MiB), `format` (not the document that we know), `empty` (the known document without the
 * rows that it must have), `internal` (a fault of our own code).
 */
export type FailureClass =
  | 'timeout'
  | 'network'
  | 'http'
  | 'too_large'
  | 'format'
  | 'empty'
  | 'internal'

/** A source's failure. Its message is ours: it never quotes the document. */
export class SourceError extends Error {
  readonly failure: FailureClass

  constructor(failure: FailureClass, message: string) {
    super(message)
    this.name = 'SourceError'
    this.failure = failure
  }
}

export function formatError(message: string): SourceError {
  return new SourceError('format', message)
}

export function emptyError(message: string): SourceError {
  return new SourceError('empty', message)
}
