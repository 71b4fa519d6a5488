import type { Instant } from '../../../shared/argentine-time.ts'
import { log } from '../../../shared/log.ts'
import { type ArchiveEnv, runArchive } from './archive.ts'

/** Makes the nightly files if they are due, and then logs one line. */
export async function makeFiles(env: ArchiveEnv, now: () => Instant): Promise<void> {
  const report = await runArchive(env, { now })
  if (report.outcome === 'built') log('archive', { ...report })
}
