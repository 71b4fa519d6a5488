import { ok } from '../../shared/result.ts'
import type { Resolve } from '../delivery/attempt/resolver.ts'

/**
 * `--receiver NAME=127.0.0.1:PORT`: these names are not resolved, because the process behind
 * `EGRESS` knows their addresses. Only for `npm start`.
 */
export function receiversFirst(names: readonly string[]) {
  return (resolve: Resolve): Resolve =>
    async (host, ...rest) =>
      names.includes(host) ? ok([]) : resolve(host, ...rest)
}
