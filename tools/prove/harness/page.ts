/**
 * A page with its tables as they are computed now. Each stands between two comments of its name, as
 * in `<!-- months -->` and `<!-- /months -->`.
 */
export function withTables(page: string, tables: Readonly<Record<string, () => string>>): string {
  return Object.entries(tables).reduce(
    (text, [name, table]) =>
      text.replace(
        new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- /${name} -->)`),
        (_, open: string, close: string) => `${open}\n${table()}\n\n${close}`,
      ),
    page,
  )
}
