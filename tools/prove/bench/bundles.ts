/** The size of each Worker as it is deployed. */
import { bundleSize } from '../../operate/deploy/wrangler.ts'
import { BUNDLE_LIMITS, DISTRIBUTED } from '../../operate/deploy/plan.ts'
import { type Bench, rounded } from './bench.ts'

export const bundles: Bench = {
  name: 'bundles',
  summary: 'the bundle of each Worker, gzip',
  method:
    'every module of `wrangler deploy --dry-run --minify` together, gzip at its default level',
  run: async ({ progress }) =>
    DISTRIBUTED.map(({ env }) => {
      progress(env)
      const value = rounded(bundleSize(env))
      return { name: `bundle of ${env}, gzip`, value, unit: 'KiB', atMost: BUNDLE_LIMITS[env] }
    }),
}
