/** A UUID in lower case, the only form of our ids, as a pattern for Hono's routes. */
export const UUID_PATTERN = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

export const UUID = new RegExp(`^${UUID_PATTERN}$`)

export function isUuid(text: string): boolean {
  return UUID.test(text)
}
