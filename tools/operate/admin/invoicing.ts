import { Command } from '@commander-js/extra-typings'
import { formatArgentine } from '../../../shared/argentine-time.ts'
import { CommandError } from '../../support/arguments.ts'
import { replacedRates, restoreRate } from '../import/invoicing.ts'
import { run } from './command.ts'

export const invoicingCommand = new Command('invoicing').description(
  'Lists the invoicing rates that an import replaced, and restores them.',
)

invoicingCommand
  .command('list', { isDefault: true })
  .description('Lists the replaced rates, newest first, each with its old and its present value.')
  .action(
    run(async ({ db, print }) => {
      for (const rate of await replacedRates(db))
        print(
          `${rate.id}  ${formatArgentine(rate.madeAt)}  ${rate.day} ${rate.currency}  ` +
            `${rate.buy} / ${rate.sell} of ${rate.source}  now ${rate.nowBuy} / ${rate.nowSell}`,
        )
    }),
  )

invoicingCommand
  .command('restore <ID>')
  .description('Restores a replaced rate. The list then has the rate that it replaces.')
  .action(
    run(async ({ db, now, print }, id) => {
      if (!(await restoreRate(db, Number(id), now())))
        throw new CommandError(`the list has no ${id}, or that is what stands there`)
      print(`${id} stands again`)
    }),
  )
