/** The queue message: a hint that a delivery row may be due. The row in D1 is the truth. */
export interface DeliveryMessage {
  v: 1
  /** `deliveries.id`. */
  deliveryId: number
}

/** Asks for a sweep now, where one had more to do than an invocation may. */
export interface SweepMessage {
  v: 1
  sweep: true
}

export function isSweepMessage(body: unknown): body is SweepMessage {
  const { v, sweep } = (body ?? {}) as { v?: unknown; sweep?: unknown }
  return v === 1 && sweep === true
}
