import { drizzle } from 'drizzle-orm/d1'
import * as schema from './schema.ts'

/** For plain statements, whose rows the schema types, and for the sign-in library (schema.ts). */
export function openDatabase(binding: D1Database) {
  return drizzle(binding, { schema, casing: 'snake_case' })
}
