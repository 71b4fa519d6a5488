import type { TestModule } from 'vitest/node'

/** Fails a vitest run in which tests neither passed nor failed, and names these tests. */
export default class SkippedTests {
  onTestRunEnd(modules: readonly TestModule[]) {
    const skipped = modules.flatMap(({ children }) => [...children.allTests('skipped')])
    for (const { module, fullName } of skipped)
      console.error(`error: npm test skips nothing: ${module.relativeModuleId} "${fullName}"`)
    if (skipped.length > 0) process.exitCode = 1
  }
}
