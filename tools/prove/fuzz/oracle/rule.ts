import type { SentRequest } from '../request.ts'
import type { WireAnswer } from '../wire/read-answer.ts'

export interface Asked {
  sent: SentRequest
  /** The path of its URL, its escapes as they were sent. */
  rawPath: string
  /** The same without needless escapes. */
  path: string
}

/** What is wrong with an answer, a sentence each; empty when nothing is. */
export type Rule = (asked: Asked, answer: WireAnswer) => string[]
