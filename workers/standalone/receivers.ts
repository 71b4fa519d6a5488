import { ok } from '../../shared/result.ts'
import type { Resolve } from '../delivery/attempt/resolver.ts'

/**
 * `--receiver NAME=127.0.0.1:PORT`: these names are not resolved, for the host behind `EGRESS` knows
 * where they are. For the local entry only, which is never deployed.
 */
export function receiversFirst(names: readonly string[]) {
  return (resolve: Resolve): Resolve =>
    async (host, ...rest) =>
      names.includes(host) ? ok([]) : resolve(host, ...rest)
}
