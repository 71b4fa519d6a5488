/** Guard memory by pair; the guard itself tolerates garbage in each. */
export function parseGuard(text: string | null): Record<string, unknown> {
  try {
    const guard: unknown = JSON.parse(text ?? '{}')
    return typeof guard === 'object' && guard !== null ? { ...guard } : {}
  } catch {
    return {}
  }
}
