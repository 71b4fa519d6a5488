import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Keyring, openKeyring } from '../../../shared/crypto/keyring.ts'
import { localSecrets, readSecrets } from '../local/secrets.ts'
import { type AdminContext, AdminError } from './command.ts'

type Where = Pick<AdminContext, 'remote' | 'stateDir'>

const NAME = 'KEY_ENCRYPTION_KEYS'

/**
 * The key-encryption secrets from the secrets file, else the environment, else the local state.
 * Null when none has them; those of a deployed service cannot be read back.
 */
export function findKeyring({ remote, stateDir }: Where, file?: string): Keyring | null {
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

/** The same for a command that seals: a local state without secrets gets them. */
export function requireKeyring(where: Where): Keyring {
  if (!where.remote) localSecrets(where.stateDir)
  const keyring = findKeyring(where)
  if (!keyring) throw new AdminError(`set ${NAME} as the service has it: kid:base64,…`)
  return keyring
}

function inFile(file: string): string | undefined {
  if (!existsSync(file)) throw new AdminError('there is no such secrets file')
  return readSecrets(file)[NAME]
}
