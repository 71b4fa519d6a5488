/** A string, or one character of structure. Numbers, words and spaces between them do not matter. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/g

/**
 * Whether any object of a JSON text, which must be valid, has a key twice. `JSON.parse` keeps the
 * last without a word. Keys are compared as they read, not as they are escaped.
 */
export function hasRepeatedKey(text: string): boolean {
  const open: (Set<string> | null)[] = []
  let isKey = false

  for (const [token] of text.matchAll(TOKEN)) {
    const keys = open.at(-1)
    if (token === '{' || token === '[') open.push(token === '{' ? new Set() : null)
    else if (token === '}' || token === ']') open.pop()
    else if (token.startsWith('"') && isKey && keys) {
      const key = JSON.parse(token) as string
      if (keys.has(key)) return true
      keys.add(key)
    }
    isKey = (token === '{' || token === ',') && open.at(-1) !== null
  }
  return false
}
