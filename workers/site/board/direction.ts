/** Which way a value went, for pages and their scripts. */
export type Direction = 'up' | 'down' | 'flat'

export function directionOf(amount: number): Direction {
  return amount > 0 ? 'up' : amount < 0 ? 'down' : 'flat'
}

export const ARROWS: Record<Direction, string> = { up: '▲', down: '▼', flat: '=' }
export const DIRECTION_WORDS: Record<Direction, string> = {
  up: 'subió',
  down: 'bajó',
  flat: 'sin cambios',
}
