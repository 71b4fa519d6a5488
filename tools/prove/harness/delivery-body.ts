import { exampleEvent } from '../../../shared/api/webhooks.ts'

/** The body of a delivery of USD/BLUE. */
export const BODY = JSON.stringify(exampleEvent)
