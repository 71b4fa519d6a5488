import { drizzle } from 'drizzle-orm/d1'
import * as schema from '../../../shared/db/schema.ts'

/** For the sign-in library and for tests. Our own queries are SQL (shared/db/schema.ts says why). */
export function openDatabase(binding: D1Database) {
  return drizzle(binding, { schema, casing: 'snake_case' })
}
