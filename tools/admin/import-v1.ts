import { readFileSync } from 'node:fs'
import { findAccount } from '../../shared/db/accounts.ts'
import { openDatabase } from '../../shared/db/database.ts'
import { importInheritedKeys } from '../../shared/db/inherited-keys.ts'
import { type AdminCommand, type AdminContext, AdminError } from './command.ts'
import { readV1File, type V1Account } from './import-v1/file.ts'
import { importWebhooks, type WebhookCounts } from './import-v1/webhooks.ts'
import { random, takeWords } from './words.ts'

export const command: AdminCommand = {
  name: 'import-v1',
  usage: 'FILE',
  summary: 'Imports the accounts, keys and webhooks of v1; a second time it does nothing.',
  details:
    'The format of FILE is described in docs/import-v1.md. Nothing of a bad file is imported.',
  async run(args, context) {
    const { db, now, print, warn } = context
    const accounts = await readV1File(readText(takeWords(args, 'FILE').FILE), now())

    const counts = await importInheritedKeys(db, accounts, {
      now: now(),
      random,
      onProgress: (share) => warn(`accounts and keys: ${Math.round(share * 100)} %`),
    })
    const webhooks = await importAllWebhooks(accounts, context)

    print(`accounts: ${counts.accountsMade} made, ${counts.accountsKnown} known`)
    print(
      `keys: ${counts.keysImported} imported, ${counts.keysKnown} known, ${counts.keysTaken} left out because another account has them`,
    )
    print(
      `webhooks: ${webhooks.imported} imported, ${webhooks.known} known, ${webhooks.leftOut} left out`,
    )
  },
}

async function importAllWebhooks(
  accounts: readonly V1Account[],
  context: AdminContext,
): Promise<WebhookCounts> {
  const total: WebhookCounts = { imported: 0, known: 0, leftOut: 0 }

  for (const { email, webhooks } of accounts.filter(({ webhooks }) => webhooks.length > 0)) {
    const account = await findAccount(openDatabase(context.db), email)
    const counts = await importWebhooks(webhooks, { accountId: account!.id, email }, context)
    total.imported += counts.imported
    total.known += counts.known
    total.leftOut += counts.leftOut
  }
  return total
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new AdminError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}
