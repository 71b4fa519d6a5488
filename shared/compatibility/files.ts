/** How the nightly files name the lists of peers (shared/board/archive.ts). */

export function peerFile(list: string): string {
  return `peer/${list}`
}

export const EVOLUTION = peerFile('evolution')
export const EVOLUTION_CSV = peerFile('evolution-csv')
