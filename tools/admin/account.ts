import { formatArgentine } from '../../shared/argentine-time.ts'
import { createAccount, listAccounts } from '../../shared/db/accounts/accounts.ts'
import { deleteAccount } from '../../shared/db/delete-account.ts'
import { type AdminCommand, AdminError } from './command.ts'
import { randomBytes as random } from '../harness/random.ts'
import { accountOf, takeEmail, takeWords } from './words.ts'

export const accountCommands: readonly AdminCommand[] = [
  {
    name: 'account create',
    usage: 'EMAIL',
    summary: 'Makes an account; its owner signs in with a link sent to EMAIL.',
    async run(args, { db, now, print }) {
      const email = takeEmail(takeWords(args, 'EMAIL').EMAIL)
      const account = await createAccount(db, { email, now: now(), random })
      if (!account.ok) throw new AdminError(`the account ${email} exists already`)

      print(`created ${email}`)
    },
  },
  {
    name: 'account list',
    usage: '',
    summary: 'Shows every account with the day on which it was made.',
    async run(args, { db, print }) {
      takeWords(args)
      for (const { email, createdAt } of await listAccounts(db))
        print(`${email}  since ${formatArgentine(createdAt)}`)
    },
  },
  {
    name: 'account delete',
    usage: 'EMAIL',
    summary: 'Deletes an account with its keys, import marks, webhooks, deliveries and sessions.',
    async run(args, { db, print }) {
      const { EMAIL } = takeWords(args, 'EMAIL')
      const { id, email } = await accountOf(db, EMAIL, "see 'account list'")
      await deleteAccount(db, id)

      print(`deleted ${email}`)
    },
  },
]
