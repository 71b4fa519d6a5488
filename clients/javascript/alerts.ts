import type {
  AlertDeliveriesOptions,
  AlertDeliveryPage,
  AlertEdit,
  AlertList,
  EditedAlert,
  IssuedAlert,
  NewAlert,
  OwnAlert,
  QueuedAlertTest,
  ReconciledAlert,
  RotatedAlert,
} from './alert-types.ts'
import { managedMethods } from './managed.ts'
import type { RequestOptions } from './request.ts'

interface Answers {
  list: AlertList
  create: IssuedAlert | ReconciledAlert
  get: { alert: OwnAlert }
  edit: EditedAlert
  rotate: RotatedAlert
  test: QueuedAlertTest
  deliveries: AlertDeliveryPage
}

/** The management of the account's alerts. */
export function alertMethods(options: RequestOptions) {
  return managedMethods<Answers, NewAlert, AlertEdit, AlertDeliveriesOptions>(
    options,
    '/api/v2/alerts',
  )
}
