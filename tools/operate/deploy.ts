/** `npm run deploy`: the service on Cloudflare, checked, deployed and verified. */
import { runCommand } from '../support/arguments.ts'
import { deploy, say, step } from './deploy/deploy.ts'
import { command, optionsOf } from './deploy/options.ts'
import { verifyDeployed } from './deploy/verify.ts'

command.action(async (values) => {
  const options = optionsOf(values)
  const deployed = await deploy(options)
  if (!options.verify) return
  step('verify: the deployed service is asked whether it holds')
  await verifyDeployed({ ...deployed, ...options.verify, dryRun: options.dryRun }, say)
})
await runCommand(command)
