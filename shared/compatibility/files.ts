/** How the nightly files name the lists of the compatibility addresses (shared/board/nightly-files.ts). */

export function compatibilityFile(list: string): string {
  return `compatibility/${list}`
}

export const EVOLUTION = compatibilityFile('evolution')
export const EVOLUTION_CSV = compatibilityFile('evolution-csv')
