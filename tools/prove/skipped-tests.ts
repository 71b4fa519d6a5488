import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'

interface Results {
  testResults: { name: string; assertionResults: { fullName: string; status: string }[] }[]
}

const RAN = new Set(['passed', 'failed'])

/** Tests in a file of vitest's JSON results that neither passed nor failed. */
export function skippedTests(file: string): string[] {
  // A suite that broke off has written none; its exit code tells.
  if (!existsSync(file)) return []

  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Results
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => !RAN.has(status))
      .map(({ fullName }) => `${relative(process.cwd(), name)} "${fullName}"`),
  )
}
