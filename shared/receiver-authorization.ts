const LENGTH_MAX = 2048

/** Printable ASCII without spaces at its ends: what a header carries unchanged (decision 30). */
const CARRIED = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

/** Whether a text can be the `Authorization` that a receiver is sent. */
export function isReceiverAuthorization(text: string): boolean {
  return text.length <= LENGTH_MAX && CARRIED.test(text)
}
