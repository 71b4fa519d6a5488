import { CONFIG_NAMES, configProblems, isConfigName } from '../config/check-config.ts'
import { localSecrets } from '../local/secrets.ts'
import { UsageError } from '../../support/arguments.ts'
import type { StartOptions } from './options.ts'

/**
 * The variables of this run: those `configured` in wrangler.toml with webhooks open and the addresses of
 * compatibility on, the folder's own secrets, then `--var`. Throws a `UsageError` that names everything that cannot be used.
 */
export function bindingsOf(
  { stateDir, vars, receivers, port }: StartOptions,
  configured: Record<string, unknown>,
  token: string,
): Record<string, string> {
  const values: Record<string, unknown> = {
    ...configured,
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
    PUBLIC_ORIGIN: (values['PUBLIC_ORIGIN'] as string) || localOrigins(port),
    LOCAL_CONTROL_TOKEN: token,
    LOCAL_RECEIVERS: JSON.stringify(Object.keys(receivers)),
  }
}

/** Where people on this machine find it; a port that is not known yet is left to the Worker. */
function localOrigins(port: number): string {
  const hosts = ['127.0.0.1', 'localhost', '[::1]']
  return port === 0 ? '' : hosts.map((host) => `http://${host}:${port}`).join(',')
}
