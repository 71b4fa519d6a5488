/** The row of `installation`, which shows whether a keyring belongs to the database. */
import { type Keyring, seal, unseal } from '../../shared/crypto/sealed-box.ts'
import { CommandError } from '../support/arguments.ts'

const FIELD = { table: 'installation', column: 'sealed', id: '1' }

/**
 * Throws a `CommandError` if a keyring does not open the sealed text of the database. Returns the
 * sealed text, or null before the first start.
 */
export async function checkKeys(db: D1Database, keyring: Keyring): Promise<string | null> {
  const sealed = await db.prepare('select sealed from installation').first<string>('sealed')
  if (sealed !== null && !(await unseal(keyring, FIELD, sealed)).ok)
    throw new CommandError(
      `these KEY_ENCRYPTION_KEYS do not open what key ${sealed.split('.')[1]} sealed in this database: ` +
        'give them as the service has them, with that key among them. If it is lost: npm run admin -- reseal --lost',
    )
  return sealed
}

/** Checks the keys. A database without a sealed text gets one, which later keyrings must open. */
export async function noteKeys(db: D1Database, keyring: Keyring): Promise<void> {
  if ((await checkKeys(db, keyring)) === null) await sealText(db, keyring, 'where sealed is null')
}

/** Seals the text with the current key, so that the database needs no older key. */
export async function sealText(db: D1Database, keyring: Keyring, where = ''): Promise<void> {
  await db
    .prepare(
      `insert into installation (id, sealed) values (1, ?1)
       on conflict (id) do update set sealed = ?1 ${where}`,
    )
    .bind(await seal(keyring, FIELD, 'sealed'))
    .run()
}

/** Removes the sealed text, so that any keyring is accepted. */
export async function forgetKeys(db: D1Database): Promise<void> {
  await db.prepare('update installation set sealed = null').run()
}
