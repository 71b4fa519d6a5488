import { existsSync, statfsSync } from 'node:fs'

/** Where Linux keeps files in memory. In a container it is often small. */
const IN_MEMORY = '/dev/shm'

/** Required free bytes: many times what the tests hold at once. */
const ROOM = 2 ** 31

/**
 * Puts the temporary files of this process and of its children into memory, if there is space and
 * `TMPDIR` names no other place. A test's database lives for milliseconds, and each of its commits
 * would wait for the disk.
 */
export function keepFilesInMemory(): void {
  if (process.env['TMPDIR'] !== undefined || !existsSync(IN_MEMORY)) return
  const { bavail, bsize } = statfsSync(IN_MEMORY)
  if (bavail * bsize >= ROOM) process.env['TMPDIR'] = IN_MEMORY
}
