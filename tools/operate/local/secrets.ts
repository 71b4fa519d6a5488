import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

export interface LocalSecrets {
  KEY_ENCRYPTION_KEYS: string
  SESSION_SECRET: string
}

/** The secrets of a state folder, made at its first start and readable by its owner only. */
export function localSecrets(stateDir: string): LocalSecrets {
  const file = join(stateDir, 'secrets.json')
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as LocalSecrets

  const secrets = {
    KEY_ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    SESSION_SECRET: randomBytes(32).toString('hex'),
  }
  writeFileSync(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  return secrets
}

/** The secrets of a file: JSON, or lines `NAME=value`, in which nothing is expanded. */
export function readSecrets(path: string): Record<string, string> {
  const text = readFileSync(path, 'utf8')
  const secrets = text.trimStart().startsWith('{') ? (JSON.parse(text) as unknown) : parseEnv(text)
  return secrets as Record<string, string>
}
