import { readFileSync } from 'node:fs'
import { importInheritedKeys } from '../../shared/db/accounts/inherited-keys.ts'
import { type AdminCommand, AdminError } from './command.ts'
import { readV1File } from './import-v1/file.ts'
import { importWebhooks } from './import-v1/webhooks.ts'
import { randomBytes as random } from '../harness/random.ts'
import { takeWords } from './words.ts'

export const command: AdminCommand = {
  name: 'import-v1',
  usage: 'FILE',
  summary: 'Imports the accounts, keys and webhooks of v1; a second time it does nothing.',
  details:
    'The format of FILE is described in docs/import-v1.md. Nothing of a bad file is imported. It may have\n' +
    'any number of keys and webhooks; one that was interrupted is finished by running it again.',
  async run(args, context) {
    const { db, now, print, warn } = context
    const accounts = await readV1File(readText(takeWords(args, 'FILE').FILE), now())

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
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new AdminError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}
