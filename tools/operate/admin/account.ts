import { Command } from '@commander-js/extra-typings'
import { formatArgentine, type Instant } from '../../../shared/argentine-time.ts'
import { type RandomBytes, randomUuid } from '../../../shared/crypto/random.ts'
import { deleteAccount } from '../../../shared/db/accounts.ts'
import { normalizeEmail } from '../../../shared/mail.ts'
import { CommandError } from '../../support/arguments.ts'
import { randomBytes as random } from '../../support/random.ts'
import { run } from './command.ts'

export const accountCommand = new Command('account').description(
  'Makes, lists and deletes accounts.',
)

accountCommand
  .command('create')
  .description('Makes an account. Its owner signs in with a link that the service sends to EMAIL.')
  .argument('<EMAIL>', '', takeEmail)
  .action(
    run(async ({ db, now, print }, email) => {
      if (!(await createAccount(db, { email, now: now(), random })))
        throw new CommandError(`the account ${email} exists already`)

      print(`created ${email}`)
    }),
  )

accountCommand
  .command('list')
  .description('Shows every account with the day on which it was made.')
  .action(
    run(async ({ db, print }) => {
      for (const { email, createdAt } of await listAccounts(db))
        print(`${email}  since ${formatArgentine(createdAt)}`)
    }),
  )

accountCommand
  .command('delete <EMAIL>')
  .description('Deletes an account with its keys, import marks, webhooks, deliveries and sessions.')
  .option('--yes', 'required, so that no account is deleted by mistake')
  .action(
    run(async ({ db, print }, address, { yes }) => {
      const { id, email } = await accountOf(db, address)
      if (!yes) throw new CommandError(`nothing is deleted: give --yes to delete ${email}`)
      await deleteAccount(db, id)

      print(`deleted ${email}`)
    }),
  )

interface Account {
  id: string
  /** As `normalizeEmail` returns it. */
  email: string
  createdAt: Instant
}

/** Creates an account. `email` must come from `normalizeEmail`. Null if the account exists. */
export async function createAccount(
  db: D1Database,
  { email, now, random }: { email: string; now: Instant; random: RandomBytes },
): Promise<{ id: string } | null> {
  return db
    .prepare(
      `insert into accounts (id, name, email, email_verified, created_at, updated_at)
       values (?1, '', ?2, 0, ?3, ?3) on conflict (email) do nothing returning id`,
    )
    .bind(randomUuid(random), email, now)
    .first()
}

export async function listAccounts(db: D1Database): Promise<Account[]> {
  const { results } = await db
    .prepare('select id, email, created_at as createdAt from accounts order by email')
    .all<Account>()
  return results
}

/** The account of an address as the operator typed it. */
export async function accountOf(
  db: D1Database,
  text: string,
): Promise<{ id: string; email: string }> {
  const email = takeEmail(text)
  const id = await db
    .prepare('select id from accounts where email = ?1')
    .bind(email)
    .first<string>('id')
  if (id === null) throw new CommandError(`no account ${email}: see 'account list'`)
  return { id, email }
}

function takeEmail(text: string): string {
  const email = normalizeEmail(text)
  if (email === null) throw new CommandError(`'${text}' is no e-mail address`)
  return email
}
