import { Command } from '@commander-js/extra-typings'
import { formatArgentine } from '../../../shared/argentine-time.ts'
import { replacedRates, restoreRate } from '../import/invoicing.ts'
import { adminCommand, AdminError } from './command.ts'

const listCommand = adminCommand(
  new Command('list').description(
    'Lists the replaced rates, newest first, each with its old and its present value.',
  ),
  async (_, { db, print }) => {
    for (const {
      id,
      madeAt,
      day,
      currency,
      buy,
      sell,
      source,
      nowBuy,
      nowSell,
    } of await replacedRates(db))
      print(
        `${id}  ${formatArgentine(madeAt)}  ${day} ${currency}  ${buy} / ${sell} of ${source}` +
          `  now ${nowBuy} / ${nowSell}`,
      )
  },
)

const restoreCommand = adminCommand(
  new Command('restore')
    .description('Restores a replaced rate. The list then has the rate that it replaces.')
    .argument('<ID>'),
  async ([id], { db, now, print }) => {
    if (!(await restoreRate(db, Number(id), now())))
      throw new AdminError(`the list has no ${id}, or that is what stands there`)
    print(`${id} stands again`)
  },
)

export const invoicingCommand = new Command('invoicing')
  .description('Lists the invoicing rates that an import replaced, and restores them.')
  .addCommand(listCommand, { isDefault: true })
  .addCommand(restoreCommand)
