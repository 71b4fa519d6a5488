import { Broken, type Check, LeftOut, type Scene } from './check.ts'
import { currentChecks } from './checks/current.ts'
import { dateChecks } from './checks/dates.ts'
import { errorChecks } from './checks/errors.ts'
import { changesCheck, keyChecks } from './checks/keys.ts'
import { pageChecks } from './checks/pages.ts'
import { recordChecks } from './checks/record.ts'
import { serviceChecks } from './checks/service.ts'
import { createWebhookChecks } from './checks/webhooks.ts'

export interface Found {
  name: string
  outcome: 'ok' | 'broken' | 'left out'
  detail?: string
}

export function allChecks(): Check[] {
  return [
    ...currentChecks,
    ...dateChecks,
    ...errorChecks,
    ...serviceChecks,
    ...pageChecks,
    ...recordChecks,
    ...keyChecks,
    ...createWebhookChecks(),
    changesCheck,
  ]
}

/** Asks a service everything, one check after the other, and tells each as it is found. */
export async function verify(
  scene: Scene,
  tell: (found: Found) => void,
  checks = allChecks(),
): Promise<Found[]> {
  const all: Found[] = []
  for (const check of checks) {
    const found = { name: check.name, ...(await outcomeOf(check, scene)) }
    all.push(found)
    tell(found)
  }
  return all
}

async function outcomeOf(check: Check, scene: Scene): Promise<Omit<Found, 'name'>> {
  if (check.needsKey && scene.key === undefined)
    return { outcome: 'left out', detail: 'it needs --key' }
  try {
    await check.run(scene)
    return { outcome: 'ok' }
  } catch (error) {
    const { message } = error as Error
    if (error instanceof LeftOut) return { outcome: 'left out', detail: message }
    if (error instanceof Broken) return { outcome: 'broken', detail: message }
    return { outcome: 'broken', detail: `no answer (${reasonOf(error as Error)})` }
  }
}

/** `fetch failed` alone does not tell what failed. */
function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error ? cause.message : message
}
