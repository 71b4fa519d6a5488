import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Keyring, openKeyring } from '../../../shared/crypto/keyring.ts'
import { type AdminContext, AdminError } from '../command.ts'

const NAME = 'KEY_ENCRYPTION_KEYS'

/**
 * The key-encryption secrets of the data that is audited: of the secrets file, else the
 * environment, else the local state. Null when none has them: a deployed service's cannot be read
 * back, and an audit makes none.
 */
export function auditKeyring(
  { remote, stateDir }: Pick<AdminContext, 'remote' | 'stateDir'>,
  file: string | undefined,
): Keyring | null {
  const configured = file === undefined ? process.env[NAME] : inFile(file)
  if (file !== undefined && configured === undefined)
    throw new AdminError(`${NAME} is not in the secrets file`)

  const local = join(stateDir, 'secrets.json')
  const text = configured ?? (!remote && existsSync(local) ? inFile(local) : undefined)
  if (text === undefined) return null
  try {
    return openKeyring(text)
  } catch {
    throw new AdminError(`${NAME} must be as the service has it: kid:base64,…`)
  }
}

/** Of a secrets file as `npm run deploy` takes it: JSON, or lines `NAME=value`. */
function inFile(file: string): string | undefined {
  if (!existsSync(file)) throw new AdminError('there is no such secrets file')
  const text = readFileSync(file, 'utf8')
  if (text.trimStart().startsWith('{')) return (JSON.parse(text) as Record<string, string>)[NAME]

  return new RegExp(`^\\s*${NAME}\\s*=\\s*["']?([^"'\\s]*)`, 'm').exec(text)?.[1]
}
