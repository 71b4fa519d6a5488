/** The queue message: a hint that a delivery row may be due. The row in D1 is the truth. */
export interface DeliveryMessage {
  v: 1
  /** `deliveries.id`. */
  deliveryId: number
}
