import { readFileSync } from 'node:fs'
import { HOW_TO_MAKE, type Target } from './plan.ts'
import { wrangler, WranglerError } from './wrangler.ts'

/** The names in a secrets file: JSON, or lines `NAME=value`. */
export function namesInFile(path: string): string[] {
  const text = readFileSync(path, 'utf8')
  if (text.trimStart().startsWith('{')) return Object.keys(JSON.parse(text) as object)

  return text.split('\n').flatMap((line) => /^\s*([A-Z][A-Z0-9_]*)\s*=/.exec(line)?.[1] ?? [])
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
