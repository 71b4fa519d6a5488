import { type ArchivedFile, archiveKey } from '../../../shared/board/archive.ts'
import { sha256 } from '../../../shared/crypto/sha256.ts'

/** Writes a file, which nobody reads before a manifest names it, and says what was written. */
export async function publishFile(
  kv: KVNamespace,
  { name, rows, contents }: { name: string; rows: number; contents: string | Uint8Array },
): Promise<ArchivedFile> {
  const bytes = typeof contents === 'string' ? new TextEncoder().encode(contents) : contents
  const file = { name, bytes: bytes.length, sha256: await sha256(bytes), rows }
  await kv.put(archiveKey(file), bytes)
  return file
}
