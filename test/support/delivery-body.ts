import { exampleOf } from '../../shared/api/operation.ts'
import { webhookEvent } from '../../workers/site/reference/events.ts'

/** The body of a delivery of USD/BLUE. */
export const BODY = JSON.stringify(exampleOf(webhookEvent()))
