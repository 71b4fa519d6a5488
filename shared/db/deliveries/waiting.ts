/** A row that waits to be claimed, and the host that it goes to. */
export interface WaitingRow {
  id: number
  /** Scheme and host of the destination. */
  host: string
}

/** Scheme and host: what `destination` is before its mask. */
export const HOST = `replace(deliveries.destination, '/***', '')`

/** The columns of a waiting row. */
export const WAITING_ROW = `deliveries.id, ${HOST} as host`
