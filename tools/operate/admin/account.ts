import { Command } from '@commander-js/extra-typings'
import { formatArgentine } from '../../../shared/argentine-time.ts'
import { createAccount, listAccounts } from './accounts.ts'
import { deleteAccount } from '../../../shared/db/accounts.ts'
import { adminCommand, AdminError } from './command.ts'
import { randomBytes as random } from '../../support/random.ts'
import { accountOf, takeEmail } from './read-values.ts'

export const accountCommand = new Command('account')
  .description('Makes, lists and deletes accounts.')
  .addCommand(
    adminCommand(
      new Command('create')
        .description('Makes an account. Its owner signs in with a link that is sent to EMAIL.')
        .argument('<EMAIL>', '', takeEmail),
      async ([email], { db, now, print }) => {
        const account = await createAccount(db, { email, now: now(), random })
        if (!account.ok) throw new AdminError(`the account ${email} exists already`)

        print(`created ${email}`)
      },
    ),
  )
  .addCommand(
    adminCommand(
      new Command('list').description('Shows every account with the day on which it was made.'),
      async (_, { db, print }) => {
        for (const { email, createdAt } of await listAccounts(db))
          print(`${email}  since ${formatArgentine(createdAt)}`)
      },
    ),
  )
  .addCommand(
    adminCommand(
      new Command('delete')
        .description(
          'Deletes an account with its keys, import marks, webhooks, deliveries and sessions.',
        )
        .argument('<EMAIL>')
        .argument('[AGAIN]', 'EMAIL again, so that no other account is deleted by mistake')
        .option('--yes', 'deletes without EMAIL being repeated', false),
      async ([address, again], { db, print }, { yes }) => {
        const { id, email } = await accountOf(db, address, "see 'account list'")
        if (!yes && (again === undefined || takeEmail(again) !== email))
          throw new AdminError(`nothing is deleted: give ${email} twice, or --yes`)
        await deleteAccount(db, id)

        print(`deleted ${email}`)
      },
    ),
  )
