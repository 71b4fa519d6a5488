import { type ArchivedFile, archiveKey, type Slot } from '../../../shared/board/archive.ts'
import { toHex } from '../../../shared/crypto/hex.ts'

/** Writes a file into a slot that nobody reads yet, and says what was written. */
export async function publishFile(
  kv: KVNamespace,
  slot: Slot,
  { name, rows, contents }: { name: string; rows: number; contents: string | Uint8Array },
): Promise<ArchivedFile> {
  const bytes = typeof contents === 'string' ? new TextEncoder().encode(contents) : contents
  const sha256 = toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
  await kv.put(archiveKey(slot, name), bytes)
  return { name, bytes: bytes.length, sha256, rows }
}
