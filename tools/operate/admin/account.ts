import { Command } from '@commander-js/extra-typings'
import { formatArgentine } from '../../../shared/argentine-time.ts'
import { createAccount, listAccounts } from '../../../shared/db/accounts/accounts.ts'
import { deleteAccount } from '../../../shared/db/delete-account.ts'
import { type AdminCommand, adminCommand, AdminError } from './command.ts'
import { randomBytes as random } from '../../support/random.ts'
import { accountOf, takeEmail } from './read-values.ts'

export const accountCommands: readonly AdminCommand[] = [
  adminCommand(
    new Command('account create')
      .description('Makes an account; its owner signs in with a link sent to EMAIL.')
      .argument('<EMAIL>', '', takeEmail),
    async ([email], { db, now, print }) => {
      const account = await createAccount(db, { email, now: now(), random })
      if (!account.ok) throw new AdminError(`the account ${email} exists already`)

      print(`created ${email}`)
    },
  ),
  adminCommand(
    new Command('account list').description(
      'Shows every account with the day on which it was made.',
    ),
    async (_, { db, print }) => {
      for (const { email, createdAt } of await listAccounts(db))
        print(`${email}  since ${formatArgentine(createdAt)}`)
    },
  ),
  adminCommand(
    new Command('account delete')
      .description(
        'Deletes an account with its keys, import marks, webhooks, deliveries and sessions.',
      )
      .argument('<EMAIL>'),
    async ([address], { db, print }) => {
      const { id, email } = await accountOf(db, address, "see 'account list'")
      await deleteAccount(db, id)

      print(`deleted ${email}`)
    },
  ),
]
