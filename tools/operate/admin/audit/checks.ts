import { availabilityCheck, tallyCheck } from './tallies.ts'
import { boardCheck, calendarCheck } from './board.ts'
import { changeChecks } from './changes.ts'
import type { Check } from './check.ts'
import { deliveryChecks } from './deliveries.ts'
import { modeChecks } from './mode.ts'
import { quoteChecks } from './quotes.ts'
import { referenceChecks } from './references.ts'
import { sealedCheck } from './sealed.ts'
import { webhookChecks } from './webhooks.ts'

/** Every invariant, in the order in which `audit` prints them. */
export const checks: readonly Check[] = [
  ...changeChecks,
  ...deliveryChecks,
  tallyCheck,
  ...webhookChecks,
  sealedCheck,
  ...modeChecks,
  ...quoteChecks,
  boardCheck,
  calendarCheck,
  availabilityCheck,
  ...referenceChecks,
]
