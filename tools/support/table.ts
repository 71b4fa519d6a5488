/** A Markdown table with columns aligned for a terminal. The first row has the headings. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(3, ...rows.map((row) => row[column]!.length)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`

  const [heads, ...body] = rows.map(line)
  return [heads, line(widths.map((width) => '-'.repeat(width))), ...body].join('\n')
}

/** Columns for a terminal: the first aligned left, the others right. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map(([first, ...others]) =>
    [first!.padEnd(widths[0]!), ...others.map((cell, index) => cell.padStart(widths[index + 1]!))]
      .join('  ')
      .trimEnd(),
  )
}
