import { afterAll, expect } from 'vitest'
import { declaredBy, type Documented, expectDocumented } from './documented.ts'

/**
 * Holds answers against their operations, and at the end of the file expects that every status
 * which the operations declare was seen.
 */
export function seeEveryAnswer(operations: readonly Documented[]) {
  const seen = new Set<string>()
  afterAll(() => {
    expect(declaredBy(operations).filter((answer) => !seen.has(answer))).toEqual([])
  })
  return async (operation: Documented, response: Response, status: number) => {
    seen.add(await expectDocumented(operation, response, status))
  }
}
