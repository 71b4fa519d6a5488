import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings'
import { accountCommand } from './account.ts'
import { auditCommand } from './audit.ts'
import { backfillCommand } from './backfill.ts'
import { CommandError } from '../../support/arguments.ts'
import { AdminProgram, type OpenContext, run } from './command.ts'
import { importV1Command } from './import-v1.ts'
import { guardCommand } from './guard.ts'
import { importCommand } from './import.ts'
import { invoicingCommand } from './invoicing.ts'
import { keyCommand } from './key.ts'
import { pointsCommand } from './points.ts'
import { quarantineCommand } from './quarantine.ts'
import { timeTravelCommand } from './time-travel.ts'
import { webhookCommand } from './webhook.ts'
import { createControl, findRunning } from '../local/running.ts'
import { resealCommand } from './reseal.ts'

const cycle = new Command('cycle')
  .description(
    'Runs a scraper cycle now, in the service that `npm start` runs on the state folder.',
  )
  .action(
    run(async ({ remote, stateDir, print }) => {
      if (remote)
        throw new CommandError('the deployed service runs its cycles by cron, every 5 minutes')

      const running = findRunning(stateDir)
      if (!running) throw new CommandError(`no service runs on ${stateDir}: npm start first`)

      const report = await createControl(running).cycle()
      if (report.outcome !== 'recorded') throw new CommandError(`nothing done: ${report.outcome}`)

      const { requested, answered, changed, held } = report
      print(`${answered} of ${requested} sources answered`)
      print(`changed: ${changed.join(' ') || 'none'}`)
      if (held.length > 0) print(`held: ${held.join(' ')}`)
    }),
  )

const deliver = new Command('deliver')
  .description(
    'Lets a copied database send deliveries and e-mails from now on, including those that wait. Before ' +
      'this command, a service on a copy sends none, because the original service sends them.',
  )
  .action(
    run(async ({ db, print }) => {
      const { results } = await db
        .prepare('update installation set delivers = 1 where not delivers returning id')
        .all()
      print(
        results.length > 0 ? 'deliveries and e-mails go out from now on' : 'they already go out',
      )
    }),
  )

/** Lists of commands show the first sentence of each description. */
const LISTS = {
  subcommandDescription: (command: CommandUnknownOpts) =>
    command.description().split(/(?<=\.)\s/)[0]!,
}

/** `npm run admin` with its commands, in the sequence in which `--help` lists them. */
export function adminProgram(open: OpenContext): AdminProgram {
  const program = new AdminProgram(open)
  program.configureHelp(LISTS)
  for (const command of [
    accountCommand,
    keyCommand,
    webhookCommand,
    importV1Command,
    importCommand,
    backfillCommand,
    pointsCommand,
    invoicingCommand,
    quarantineCommand,
    guardCommand,
    resealCommand,
    timeTravelCommand,
    auditCommand,
    deliver,
    cycle,
  ])
    program.addCommand((command as Command).configureHelp(LISTS))
  return program
}
