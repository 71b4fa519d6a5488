import { CommandError } from '../../support/arguments.ts'
import { reportOn } from '../verify/verify.ts'

/** Until a cron is in force everywhere (15 minutes), and its first cycle has run. */
const FIRST_WAIT_SECONDS = 1200
/** Until every place has the new version, or a custom domain its certificate. */
const WAIT_SECONDS = 180

export interface Deployed {
  /** Its public address; undefined when wrangler printed none. */
  url: string | undefined
  /** Whether there was no database before. */
  isNew: boolean
}

interface Wanted extends Deployed {
  key: string | undefined
  /** Undefined: as long as this kind of deployment may take. */
  waitSeconds: number | undefined
  dryRun: boolean
}

export function addressIn(printed: string): string | undefined {
  return /https:\/\/[a-z0-9.-]+\.workers\.dev/.exec(printed)?.[0]
}

/** Verifies what was just deployed; throws when a check fails. */
export async function verifyDeployed(
  { url, key, waitSeconds, dryRun, isNew }: Wanted,
  say: (line: string) => void,
): Promise<void> {
  if (dryRun) return say(`$ npm run verify -- ${url ?? 'https://….workers.dev'}`)
  if (url === undefined) return say('wrangler told no address: npm run verify -- URL')

  const wait = waitSeconds ?? (isNew ? FIRST_WAIT_SECONDS : WAIT_SECONDS)
  if (!(await reportOn({ url, key, waitSeconds: wait }, say)))
    throw new CommandError(`deployed, but not everything holds: npm run verify -- ${url}`)
}
