import { expectTypeOf, it } from 'vitest'
import type * as z from 'zod'
import type * as client from '../../../clients/javascript/index.ts'
import type { alertEvent, alertSchemas, ownAlert } from '../../../shared/api/alerts.ts'

/** What the document of the extensions says that an answer is. */
type Documented<Name extends keyof typeof alertSchemas> = z.infer<(typeof alertSchemas)[Name]>

it('types alerts as the document does', () => {
  expectTypeOf<client.AlertList>().toEqualTypeOf<Documented<'list'>>()
  expectTypeOf<client.OwnAlert>().toEqualTypeOf<z.infer<typeof ownAlert>>()
  expectTypeOf<client.IssuedAlert>().toEqualTypeOf<Documented<'issued'>>()
  expectTypeOf<client.ReconciledAlert>().toEqualTypeOf<Documented<'reconciled'>>()
  expectTypeOf<client.EditedAlert>().toEqualTypeOf<Documented<'edited'>>()
  expectTypeOf<client.RotatedAlert>().toEqualTypeOf<Documented<'rotated'>>()
  expectTypeOf<client.QueuedAlertTest>().toEqualTypeOf<Documented<'testQueued'>>()
  expectTypeOf<client.AlertDeliveryPage>().toEqualTypeOf<Documented<'deliveryPage'>>()
  expectTypeOf<client.AlertEvent>().toEqualTypeOf<z.infer<typeof alertEvent>>()
})
