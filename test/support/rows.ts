/** Rows by the names of the schema, so that the compiler finds every use of a changed column. */
import { and, type Column, count, eq, getTableColumns } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import type { SQLiteInsertValue, SQLiteTable, SQLiteUpdateSetSource } from 'drizzle-orm/sqlite-core'
import * as schema from '../../shared/db/schema.ts'
import { fromNumbers, insertRows } from '../../tools/prove/harness/rows.ts'
import { env } from './env.ts'

type Schema = typeof schema
type TableName = {
  [Name in keyof Schema]: Schema[Name] extends SQLiteTable ? Name : never
}[keyof Schema]
type Tables = Pick<Schema, TableName>
const tables: Tables = schema

type Row<Name extends TableName> = Tables[Name]['$inferSelect']

const open = () => drizzle(env.DB, { casing: 'snake_case' })

/** The number of rows with these values; of all rows when none are given. */
export async function countRows<Name extends TableName>(
  name: Name,
  where: Partial<Row<Name>> = {},
): Promise<number> {
  const [row] = await open().select({ n: count() }).from(tables[name]).where(having(name, where))
  return row!.n
}

/** The rows with these values, in the order of their key; all rows when none are given. */
export async function readRows<Name extends TableName>(
  name: Name,
  where: Partial<Row<Name>> = {},
): Promise<Row<Name>[]> {
  return (await open().select().from(tables[name]).where(having(name, where))) as Row<Name>[]
}

/** Stores a row; columns that are left out get the schema's defaults. */
export async function insertRow<Name extends TableName>(
  name: Name,
  row: Tables[Name]['$inferInsert'],
): Promise<void> {
  await open()
    .insert(tables[name])
    .values(row as SQLiteInsertValue<Tables[Name]>)
}

/** Stores many valid rows that differ in these columns: SQL in which `i` counts the rows from 1. */
export async function seedRows(
  table: Parameters<typeof insertRows>[0],
  count: number,
  columns: Parameters<typeof insertRows>[1],
): Promise<void> {
  await env.DB.prepare(insertRows(table, columns, fromNumbers(count))).run()
}

/** Sets values of the rows with other values; of all rows when none are given. */
export async function changeRows<Name extends TableName>(
  name: Name,
  values: Partial<Row<Name>>,
  where: Partial<Row<Name>> = {},
): Promise<void> {
  await open()
    .update(tables[name])
    .set(values as SQLiteUpdateSetSource<Tables[Name]>)
    .where(having(name, where))
}

/** Deletes the rows with these values; all rows when none are given. */
export async function deleteRows<Name extends TableName>(
  name: Name,
  where: Partial<Row<Name>> = {},
): Promise<void> {
  await open().delete(tables[name]).where(having(name, where))
}

/** The rows of a table, for restoring them after other changes. */
export async function copyOf<Name extends TableName>(name: Name) {
  const rows = await readRows(name)
  return {
    empty: () => deleteRows(name),
    restore: async () => void (await open().insert(tables[name]).values(rows)),
  }
}

/** Deletes all rows of these tables, in one batch. */
export async function emptyTables(...names: readonly TableName[]): Promise<void> {
  const [first, ...more] = names.map((name) => open().delete(tables[name]))
  if (first) await open().batch([first, ...more])
}

function having<Name extends TableName>(name: Name, where: Partial<Row<Name>>) {
  const columns: Record<string, Column> = getTableColumns(tables[name])
  return and(...Object.entries(where).map(([column, value]) => eq(columns[column]!, value)))
}
