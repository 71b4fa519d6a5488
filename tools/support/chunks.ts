/** Splits rows into lists of at most `size`. A remote D1 accepts statements of at most 100 kB. */
export function chunksOf<Row>(rows: readonly Row[], size: number): (readonly Row[])[] {
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, index) =>
    rows.slice(index * size, (index + 1) * size),
  )
}
