import { describeFailure as failureOf } from '../../../shared/log.ts'

/**
 * One line for an unexpected failure: its kind, its code and our own function. The message is left
 * out, because that of a failed query may hold an e-mail or a digest.
 */
export function describeFailure(error: unknown): string {
  const { kind, stack = [] } = failureOf(error)
  const codes = chainOf(error).flatMap(({ code }) => (typeof code === 'string' ? [code] : []))
  const where = stack.length === 0 ? '' : ` at ${stack[0]}`
  return `${[kind, ...codes].join(', ')}${where}: what was done stands, run it again`
}

function chainOf(error: unknown): { code?: unknown }[] {
  const chain: { code?: unknown; cause?: unknown }[] = []
  for (let one = error; one instanceof Error && chain.length < 5; one = one.cause) chain.push(one)
  return chain
}
