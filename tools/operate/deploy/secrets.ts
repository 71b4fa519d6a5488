import { configProblems } from '../config/check-config.ts'
import { HOW_TO_MAKE, type Target } from './plan.ts'
import { wrangler, WranglerError } from './wrangler.ts'

/** What is wrong with given secrets, and names that no Worker reads; a sentence each. */
export function secretProblems(
  targets: readonly Target[],
  secrets: Readonly<Record<string, string>>,
): string[] {
  const known = new Set(targets.flatMap((target) => [...target.secrets, ...target.optionalSecrets]))
  const strange = Object.keys(secrets).filter((name) => !known.has(name))
  const given = Object.keys(secrets).filter((name) => known.has(name))
  return [
    ...strange.map((name) => `${name} is no secret of these Workers`),
    ...configProblems(secrets, given),
  ]
}

/** The secrets that a Worker reads. It gets no others. */
export function secretsFor(
  { secrets, optionalSecrets }: Target,
  all: Readonly<Record<string, string>>,
): Record<string, string> {
  const names = [...secrets, ...optionalSecrets]
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)))
}

/** The names that a deployed Worker has; none before its first deployment. */
export function namesDeployed(config: string, { env }: Target): string[] {
  try {
    const listed = wrangler(['secret', 'list', '--config', config, '--env', env])
    return (JSON.parse(listed) as { name: string }[]).map(({ name }) => name)
  } catch (error) {
    if (error instanceof WranglerError && /does not exist|not found|10007/.test(error.message)) {
      return []
    }
    throw error
  }
}

/** One line for each secret that a target needs and that neither place has. */
export function missingSecrets(
  targets: readonly Target[],
  has: (target: Target, name: string) => boolean,
): string[] {
  return targets.flatMap((target) =>
    target.secrets
      .filter((name) => !has(target, name))
      .map((name) => `${target.env}: ${name}   make one: ${HOW_TO_MAKE[name]}`),
  )
}
