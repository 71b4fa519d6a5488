/** What the guard remembers of one pair from cycle to cycle. */
export interface GuardMemory {
  v: 1
}
