import { Command } from '@commander-js/extra-typings'
import { readFileSync } from 'node:fs'
import { importInheritedKeys } from '../../../shared/db/accounts/inherited-keys.ts'
import { adminCommand, AdminError } from './command.ts'
import { readPredecessorFile } from './import-v1/file.ts'
import { importWebhooks } from './import-v1/webhooks.ts'
import { randomBytes as random } from '../../support/random.ts'

export const command = adminCommand(
  new Command('import-v1')
    .summary(
      'Imports the accounts, keys and webhooks of the service before this one (v1); a second time it does nothing.',
    )
    .description(
      'Imports the accounts, keys and webhooks of the service before this one (v1); a second time it does nothing. The format of ' +
        'FILE is described in docs/import-v1.md. Nothing of a bad file is imported. It may have any ' +
        'number of keys and webhooks; one that was interrupted is finished by running it again.',
    )
    .argument('<FILE>'),
  async ([file], context) => {
    const { db, now, print, warn } = context
    const accounts = await readPredecessorFile(readText(file), now())

    const counts = await importInheritedKeys(db, accounts, {
      now: now(),
      random,
      onProgress: (share) => warn(`accounts and keys: ${Math.round(share * 100)} %`),
    })
    const webhooks = await importWebhooks(accounts, context)

    print(`accounts: ${counts.accountsMade} made, ${counts.accountsKnown} known`)
    print(
      `keys: ${counts.keysImported} imported, ${counts.keysKnown} known, ${counts.keysTaken} left out because another account has them`,
    )
    print(
      `webhooks: ${webhooks.imported} imported, ${webhooks.known} known, ${webhooks.leftOut} left out`,
    )
  },
)

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new AdminError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}
