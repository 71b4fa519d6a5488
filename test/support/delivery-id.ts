import type { Instant } from '../../shared/argentine-time.ts'

/** A UUID v7 of an instant, as the database makes them (`deliveryIdSql`). */
export function aDeliveryId(at: Instant): string {
  const time = at.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`
}
