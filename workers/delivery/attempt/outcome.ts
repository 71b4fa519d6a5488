import type { Instant } from '../../../shared/argentine-time.ts'
import { parseRetryAfter } from '../../../shared/webhooks/retry.ts'

/** What the receiver answered, or why there was no answer. */
export type ReceiverFault = 'http' | 'redirect' | 'timeout' | 'network' | 'destination'

/** A fault of our own, not charged to the receiver (decision 44: whose fault it is). */
export type OwnFault = 'interrupted' | 'configuration'

/** How one attempt ended. A receiver that is down is a normal answer, not an exception. */
export type Outcome =
  | { status: 'delivered'; code: number }
  | {
      status: 'failed'
      code: number | null
      errorType: ReceiverFault
      retryAfterSeconds: number | null
    }
  | { status: 'released'; errorType: OwnFault }
  /** A claim that found no place in time. Another invocation sends it. */
  | { status: 'returned' }

/** The head of a response: all that is ever read of one. */
export interface ResponseHead {
  /** 100 to 599. */
  code: number
  retryAfter: string | null
}

/** Whether a status may be told: the contract's `code` is 100 to 599. */
export function isStatusCode(code: number): boolean {
  return code >= 100 && code <= 599
}

/**
 * The status line decides (decision 32: one POST, ten seconds): 2xx confirms, 3xx is never
 * followed.
 */
export function outcomeOfResponse({ code, retryAfter }: ResponseHead, now: Instant): Outcome {
  if (code >= 200 && code < 300) return { status: 'delivered', code }

  return {
    status: 'failed',
    code,
    errorType: code >= 300 && code < 400 ? 'redirect' : 'http',
    retryAfterSeconds: parseRetryAfter(retryAfter, now),
  }
}

export function failed(errorType: ReceiverFault): Outcome {
  return { status: 'failed', code: null, errorType, retryAfterSeconds: null }
}

export function released(errorType: OwnFault): Outcome {
  return { status: 'released', errorType }
}
