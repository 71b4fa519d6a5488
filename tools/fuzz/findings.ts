/** One kind of thing that went wrong, with the first request that showed it. */
export interface Finding {
  what: string
  times: number
  /** Of the first: its number, what was changed, how it can be sent again, what came back. */
  first: string
}

/** All that went wrong, told once for each kind and route. */
export class Findings {
  private readonly byKind = new Map<string, Finding>()
  private readonly tell: (line: string) => void

  /** `tell` hears of each kind at once, for whoever does not want to wait for the end. */
  constructor(tell: (line: string) => void = () => {}) {
    this.tell = tell
  }

  add(what: string, first: () => string): void {
    const finding = this.byKind.get(what)
    if (finding) {
      finding.times += 1
      return
    }
    const found = { what, times: 1, first: first() }
    this.byKind.set(what, found)
    this.tell(`${what}\n${found.first}`)
  }

  list(): Finding[] {
    return [...this.byKind.values()]
  }
}
