import type { Instant } from '../../shared/argentine-time.ts'
import { log } from '../../shared/log.ts'
import { type ArchiveEnv, runArchive } from './archive.ts'

/** Builds what is due and logs one line, when something was done. */
export async function archive(env: ArchiveEnv, now: () => Instant): Promise<void> {
  const report = await runArchive(env, { now })
  if (report.outcome === 'built') log('archive', { ...report })
}

export default {
  async scheduled(_controller, env) {
    await archive(env, () => Date.now())
  },
} satisfies ExportedHandler<Cloudflare.ArchiveEnv>
