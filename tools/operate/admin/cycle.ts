import { Command } from '@commander-js/extra-typings'
import { createControl, findRunning } from '../local/running.ts'
import { adminCommand, AdminError } from './command.ts'

export const command = adminCommand(
  new Command('cycle')
    .summary('Runs a scraper cycle now.')
    .description(
      'Runs a scraper cycle now, in the service that `npm start` runs on the state folder.',
    ),
  async (_, { remote, stateDir, print }) => {
    if (remote)
      throw new AdminError('the deployed service runs its cycles by cron, every 5 minutes')

    const running = await findRunning(stateDir)
    if (!running) throw new AdminError(`no service runs on ${stateDir}: npm start first`)

    const report = await createControl(running).cycle(running.order)
    if (report.outcome !== 'recorded') throw new AdminError(`nothing done: ${report.outcome}`)

    const { requested, answered, changed, held } = report
    print(`${answered} of ${requested} sources answered`)
    print(`changed: ${changed.join(' ') || 'none'}`)
    if (held.length > 0) print(`held: ${held.join(' ')}`)
  },
)
