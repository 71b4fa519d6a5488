/** JSON as the peers' files have it: two spaces, no line break at the end. */
export function toPeerJson(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
