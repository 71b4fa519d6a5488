/**
 * Printable ASCII without spaces at its ends: what a header carries unchanged (decision 30:
 * printable ASCII alone).
 */
export const RECEIVER_AUTHORIZATION = {
  lengthMax: 2048,
  pattern: /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/,
} as const

/** Whether a text can be a subscription's `Authorization`. */
export function isReceiverAuthorization(text: string): boolean {
  return (
    text.length <= RECEIVER_AUTHORIZATION.lengthMax && RECEIVER_AUTHORIZATION.pattern.test(text)
  )
}
