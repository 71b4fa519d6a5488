export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Whether a text is a UUID in lower case, the only form in which ids are known. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}
