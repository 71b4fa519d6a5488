/** How the nightly files name the lists of peers (shared/board/archive.ts). */

export function peerFile(list: string): string {
  return `peer/${list}`
}

export const EVOLUTION = peerFile('evolution')
