/** A part of what waits: how much, and since when, in seconds of the day. */
export interface Parcel {
  since: number
  amount: number
}

/** A line of work, served in the order of arrival. Amounts may be fractions. */
export class Line {
  #parcels: Parcel[] = []
  #first = 0
  #backlog = 0
  #peak = 0

  get backlog(): number {
    return this.#backlog
  }

  /** The greatest backlog so far. */
  get peak(): number {
    return this.#peak
  }

  arrive(parcels: readonly Parcel[]): void {
    for (const parcel of parcels) {
      if (parcel.amount <= 0) continue
      this.#parcels.push({ ...parcel })
      this.#backlog += parcel.amount
    }
    this.#peak = Math.max(this.#peak, this.#backlog)
  }

  /** Takes at most so much, the first first. */
  serve(most: number): Parcel[] {
    if (this.#backlog === 0) return []
    const served: Parcel[] = []
    for (let left = most; left > 0 && this.#first < this.#parcels.length;) {
      const head = this.#parcels[this.#first]!
      const amount = Math.min(left, head.amount)
      served.push({ since: head.since, amount })
      left -= amount
      head.amount -= amount
      if (head.amount <= 0) this.#first += 1
    }
    this.#backlog = Math.max(0, this.#backlog - amountOf(served))
    if (this.#first === this.#parcels.length) {
      this.#parcels = []
      this.#first = 0
      this.#backlog = 0
    }
    return served
  }
}

export function amountOf(parcels: readonly Parcel[]): number {
  return parcels.reduce((sum, { amount }) => sum + amount, 0)
}
