import { freePlanTable, monthsTable, usageTable } from './tables.ts'

export const COST_PAGE = 'docs/cost.md'

const TABLES = { months: monthsTable, usage: usageTable, free: freePlanTable }

/** The page with the tables as they are computed now, each between its two comments. */
export function withTables(page: string): string {
  return Object.entries(TABLES).reduce(
    (text, [name, table]) =>
      text.replace(
        new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`),
        (_, open: string, close: string) => `${open}\n${table()}\n\n${close}`,
      ),
    page,
  )
}
