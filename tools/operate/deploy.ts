/** `npm run deploy`: the service on Cloudflare. wrangler does the work. */
import { runCommand } from '../support/arguments.ts'
import { deploy } from './deploy/deploy.ts'
import { command, optionsOf } from './deploy/options.ts'

command.action((values) => deploy(optionsOf(values)))
await runCommand(command)
