export interface Finding {
  what: string
  times: number
  /** The first few only: a defect that repeats must not fill the memory. */
  examples: string[]
}

const EXAMPLES = 3

/** All defects, one entry for each kind. */
export class Findings {
  readonly #byKind = new Map<string, Finding>()
  readonly #tell: (line: string) => void

  /** `tell` is called at once for the first of each kind. */
  constructor(tell: (line: string) => void = () => {}) {
    this.#tell = tell
  }

  add(what: string, example: string | (() => string) = ''): void {
    const finding = this.get(what)
    finding.times += 1
    if (finding.examples.length < EXAMPLES)
      finding.examples.push(typeof example === 'string' ? example : example())
    if (finding.times === 1) this.#tell(`${what}\n${finding.examples[0]}`)
    this.#byKind.set(what, finding)
  }

  get(what: string): Finding {
    return this.#byKind.get(what) ?? { what, times: 0, examples: [] }
  }

  list(): Finding[] {
    return [...this.#byKind.values()]
  }
}

/** The problems that there are: those whose condition is true. */
export function problemsIn(
  checks: readonly (readonly [isThere: boolean, problem: string])[],
): string[] {
  return checks.filter(([isThere]) => isThere).map(([, problem]) => problem)
}
