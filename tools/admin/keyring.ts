import { type Keyring, openKeyring } from '../../shared/crypto/keyring.ts'
import { localSecrets } from '../local/secrets.ts'
import { type AdminContext, AdminError } from './command.ts'

/**
 * The key-encryption secrets: those of the environment variable `KEY_ENCRYPTION_KEYS`, which a
 * deployed service's secrets cannot be read without, else those of the local state.
 */
export function keyringOf({
  remote,
  stateDir,
}: Pick<AdminContext, 'remote' | 'stateDir'>): Keyring {
  const configured =
    process.env['KEY_ENCRYPTION_KEYS'] ??
    (remote ? undefined : localSecrets(stateDir).KEY_ENCRYPTION_KEYS)
  try {
    return openKeyring(configured)
  } catch {
    throw new AdminError('set KEY_ENCRYPTION_KEYS as the service has it: kid:base64,…')
  }
}
