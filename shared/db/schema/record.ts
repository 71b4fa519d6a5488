import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** The chain of the record, for ever: one manifest of the nightly files a build. */
export const manifests = sqliteTable('manifests', {
  /** 1, 2, … without a gap: a build only writes the number after the last that it read. */
  number: integer().primaryKey(),
  /** As in its address: `2026-11-22`, and `2026-11-22.2` for the second that ends on that day. */
  name: text().notNull().unique(),
  /** The last closed Argentine day that it shows. */
  day: text().notNull(),
  /** The revision of the history that it shows. */
  revision: integer().notNull(),
  /** The id of the last correction that it or an earlier manifest names. */
  lastCorrection: integer().notNull(),
  builtAt: integer().notNull(),
  /** The signed bytes, as they are served. */
  body: text().notNull(),
  sha256: text().notNull(),
  /** Ed25519 over the body, base64; null where there was no key. */
  signature: text(),
  /** The document that KV shows of this build (`shared/board/archive.ts`), to publish it again. */
  published: text().notNull(),
})

/** The SHA-256 of each closed day's file, as in the last manifest. */
export const recordDays = sqliteTable('record_days', {
  day: text().primaryKey(),
  sha256: text().notNull(),
})

/** Every public key that ever signed a manifest, for ever. */
export const recordKeys = sqliteTable('record_keys', {
  /** Its thumbprint (RFC 7638). */
  id: text().primaryKey(),
  /** The 32 bytes, base64url. */
  publicKey: text().notNull(),
  firstUsedAt: integer().notNull(),
})
