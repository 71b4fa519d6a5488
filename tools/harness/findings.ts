/** One kind of thing that went wrong. */
export interface Finding {
  what: string
  times: number
  /** The first few: a defect that repeats all hour must not fill the memory. */
  examples: string[]
}

const EXAMPLES = 3

/** All that went wrong, told once for each kind. */
export class Findings {
  readonly #byKind = new Map<string, Finding>()
  readonly #tell: (line: string) => void

  /** `tell` hears of each kind at once, for whoever does not want to wait for the end. */
  constructor(tell: (line: string) => void = () => {}) {
    this.#tell = tell
  }

  add(what: string, example: string | (() => string)): void {
    const text = () => (typeof example === 'string' ? example : example())
    const finding = this.#byKind.get(what) ?? { what, times: 0, examples: [] }
    finding.times += 1
    if (finding.examples.length < EXAMPLES) finding.examples.push(text())
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
