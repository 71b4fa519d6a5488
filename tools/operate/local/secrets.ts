import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { CommandError } from '../../support/arguments.ts'
import { storedText } from './storage.ts'

const MADE = {
  KEY_ENCRYPTION_KEYS: () => `k1:${randomBytes(32).toString('base64')}`,
  SESSION_SECRET: () => randomBytes(32).toString('hex'),
}

export type LocalSecrets = Partial<Record<keyof typeof MADE, string>>

export const secretsFile = (stateDir: string) => join(stateDir, 'secrets.json')

/**
 * The secrets in a state folder, which only its owner can read. Generates the secrets that are
 * neither there nor given. Refuses to generate keys if the database is sealed with other keys.
 */
export function localSecrets(
  stateDir: string,
  given: Readonly<Record<string, string | undefined>> = {},
): LocalSecrets {
  const file = secretsFile(stateDir)
  const kept: LocalSecrets = existsSync(file) ? readSecrets(file) : {}
  const names = Object.keys(MADE) as (keyof typeof MADE)[]
  const missing = names.filter((name) => !kept[name] && !given[name])
  if (missing.length === 0) return kept

  if (missing.includes('KEY_ENCRYPTION_KEYS') && storedText(stateDir, 'installation', 'sealed'))
    throw new CommandError(
      `${file} has no KEY_ENCRYPTION_KEYS, and the database has webhooks sealed with them: put the file back ` +
        'from a backup, or give them as the service had them. If they are lost: npm run admin -- reseal --lost',
    )
  const made = missing.map((name) => [name, MADE[name]()])
  const secrets = { ...kept, ...(Object.fromEntries(made) as LocalSecrets) }
  writeFileSync(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 })
  return secrets
}

/** The secrets of a file: JSON, or lines `NAME=value`, without expansion of variables. */
export function readSecrets(path: string): Record<string, string> {
  const text = readFileSync(path, 'utf8')
  const secrets = text.trimStart().startsWith('{') ? (JSON.parse(text) as unknown) : parseEnv(text)
  return secrets as Record<string, string>
}
