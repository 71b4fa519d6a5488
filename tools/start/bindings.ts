import { CONFIG_NAMES, configProblems, isConfigName } from '../config/check-config.ts'
import { localSecrets } from '../local/secrets.ts'
import { UsageError } from '../harness/arguments.ts'
import type { StartOptions } from './options.ts'
import { configuredVars } from './runtime.ts'

/**
 * The variables of this run: those of wrangler.toml with webhooks open and the addresses of peers on, the
 * folder's own secrets, then `--var`. Throws a `UsageError` that names everything that cannot be used.
 */
export function bindingsOf(
  { stateDir, vars, receivers }: StartOptions,
  token: string,
): Record<string, string> {
  const values: Record<string, unknown> = {
    ...configuredVars(),
    WEBHOOK_ADMISSION: 'open',
    COMPATIBILITY: 'on',
    ...localSecrets(stateDir),
    ...vars,
  }
  const strange = Object.keys(values).filter((name) => !isConfigName(name))
  const problems = configProblems(values, [...strange, ...CONFIG_NAMES])
  if (problems.length > 0) throw new UsageError(problems.join('\n'))

  return {
    ...(values as Record<string, string>),
    LOCAL_CONTROL_TOKEN: token,
    LOCAL_RECEIVERS: JSON.stringify(receivers),
  }
}
