import { createControl, findRunning } from '../local/running.ts'
import { type AdminCommand, AdminError } from './command.ts'

export const command: AdminCommand = {
  name: 'cycle',
  usage: '',
  summary: 'runs a scraper cycle now',
  details: 'The cycle runs in the service that `npm start` runs on the state folder.',
  async run(args, { remote, stateDir, print }) {
    if (args.length > 0) throw new AdminError('cycle takes no arguments')
    if (remote)
      throw new AdminError('the deployed service runs its cycles by cron, every 5 minutes')

    const running = await findRunning(stateDir)
    if (!running) throw new AdminError(`no service runs on ${stateDir}: npm start first`)

    const report = await createControl(running).cycle(running.order)
    if (report.outcome !== 'recorded') throw new AdminError(`nothing done: ${report.outcome}`)

    const { asked, answered, changed, held } = report
    print(`${answered} of ${asked} sources answered`)
    print(`changed: ${changed.join(' ') || 'none'}`)
    if (held.length > 0) print(`held: ${held.join(' ')}`)
  },
}
