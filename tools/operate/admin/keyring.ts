import { existsSync } from 'node:fs'
import { type Keyring, openKeyring } from '../../../shared/crypto/sealed-box.ts'
import { checkKeys, noteKeys } from '../installation.ts'
import { localSecrets, readSecrets, secretsFile } from '../local/secrets.ts'
import { CommandError } from '../../support/arguments.ts'
import type { AdminContext } from './command.ts'

type Where = Pick<AdminContext, 'remote' | 'stateDir'>

const NAME = 'KEY_ENCRYPTION_KEYS'

/**
 * The key-encryption secrets from the secrets file, else the environment, else the local state.
 * Null when none has them; the secrets of a deployed service cannot be read back.
 */
export function readKeyring({ remote, stateDir }: Where, file?: string): Keyring | null {
  const configured = file === undefined ? process.env[NAME] : inFile(file)
  if (file !== undefined && configured === undefined)
    throw new CommandError(`${NAME} is not in the secrets file`)

  const local = secretsFile(stateDir)
  const text = configured ?? (!remote && existsSync(local) ? inFile(local) : undefined)
  if (text === undefined) return null
  try {
    return openKeyring(text)
  } catch {
    throw new CommandError(`${NAME} must be as the service has it: kid:base64,…`)
  }
}

/** Reads the keyring and checks that it is the database's. */
export async function findKeyring(context: AdminContext, file?: string): Promise<Keyring | null> {
  const keyring = readKeyring(context, file)
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

function inFile(file: string): string | undefined {
  if (!existsSync(file)) throw new CommandError('there is no such secrets file')
  return readSecrets(file)[NAME]
}
