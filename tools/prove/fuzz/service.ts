import { until } from '../../support/until.ts'
import { startService, type Service } from '../harness/service.ts'
import { RECEIVER } from './grammar/values.ts'

/** The discard port (RFC 863), on which nothing listens here. */
const NOWHERE = '127.0.0.1:9'

/**
 * The service as `npm start -- --demo` runs it, on a free port and a folder of its own. Nothing it
 * does leaves this machine: names lead to a closed loopback port, and so does its resolver. The
 * daily budget is raised and retries are quick; all other limits are those of a deployment. It has
 * its past and its nightly files, which some operations answer from.
 */
export async function startTarget(everySeconds: number): Promise<Service> {
  const vars = {
    DAILY_PRIVATE_BUDGET: '1000000000',
    // A delivery that nobody takes ends within seconds, and can be requested again.
    DELIVERY_WAITS: '1,1,1',
    DNS_OVER_HTTPS_URL: `https://${NOWHERE}/dns-query`,
    GITHUB_CLIENT_ID: 'fuzz',
    GITHUB_CLIENT_SECRET: 'fuzz',
  }
  const service = await startService([
    '--demo',
    `--every=${everySeconds}`,
    `--receiver=${RECEIVER}=${NOWHERE}`,
    ...Object.entries(vars).flatMap(([name, value]) => ['--var', `${name}=${value}`]),
  ])
  await until(() => service.get('/datos/archivos.json').then(({ ok }) => ok), {
    everyMs: 500,
    atMostMs: 120_000,
    failure: 'the nightly files were not made',
  })
  return service
}
