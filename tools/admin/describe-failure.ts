import { kindOfFailure } from '../../shared/log.ts'

/**
 * One line for a failure that no command foresaw. Only its kind, its code and our own function:
 * the message of a failed query may hold its parameters, an e-mail or a digest among them.
 */
export function describeFailure(error: unknown): string {
  const { kind, at } = kindOfFailure(error)
  const codes = chainOf(error).flatMap(({ code }) => (typeof code === 'string' ? [code] : []))
  const where = at === undefined ? '' : ` in ${at}`
  return `${[kind, ...codes].join(', ')}${where}: what was done stands, run it again`
}

function chainOf(error: unknown): { code?: unknown }[] {
  const chain: { code?: unknown; cause?: unknown }[] = []
  for (let one = error; one instanceof Error && chain.length < 5; one = one.cause) chain.push(one)
  return chain
}
