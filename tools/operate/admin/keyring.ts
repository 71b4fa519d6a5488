import { existsSync } from 'node:fs'
import { type Keyring, openKeyring } from '../../../shared/crypto/sealed-box.ts'
import { checkKeys, noteKeys } from '../installation.ts'
import { localSecrets, readSecrets, secretsFile } from '../local/secrets.ts'
import { CommandError } from '../../support/arguments.ts'
import type { AdminContext } from './command.ts'

type Where = Pick<AdminContext, 'remote' | 'stateDir'>

const NAME = 'KEY_ENCRYPTION_KEYS'

/**
 * The key-encryption secrets from the environment, or else from the local state. Null when neither
 * has them: the secrets of a deployed service cannot be read back.
 */
function readKeyring({ remote, stateDir }: Where): Keyring | null {
  const local = secretsFile(stateDir)
  const kept = !remote && existsSync(local) ? readSecrets(local)[NAME] : undefined
  const text = process.env[NAME] ?? kept
  if (text === undefined) return null
  try {
    return openKeyring(text)
  } catch {
    throw new CommandError(`${NAME} must be as the service has it: kid:base64,…`)
  }
}

/** Reads the keyring and checks that it belongs to the database. */
export async function findKeyring(context: AdminContext): Promise<Keyring | null> {
  const keyring = readKeyring(context)
  if (keyring) await checkKeys(context.db, keyring)
  return keyring
}

/** The keyring for a command that seals. Makes the keys of a new local state. */
export async function requireKeyring(context: AdminContext): Promise<Keyring> {
  const { db, remote, stateDir } = context
  if (!remote) localSecrets(stateDir, process.env)
  const keyring = readKeyring(context)
  if (!keyring) throw new CommandError(`set ${NAME} as the service has it: kid:base64,…`)
  await noteKeys(db, keyring)
  return keyring
}
