import { expectTypeOf, it } from 'vitest'
import type * as z from 'zod'
import type * as client from '../../../clients/javascript/index.ts'
import type { alertSchemas } from '../../../workers/site/reference/extensions/alert-schemas.ts'

/** What the document of the extensions says that an answer is. */
type Documented<Name extends keyof typeof alertSchemas> = z.infer<(typeof alertSchemas)[Name]>

it('types alerts as the document does', () => {
  expectTypeOf<client.AlertList>().toEqualTypeOf<Documented<'AlertList'>>()
  expectTypeOf<client.OwnAlert>().toEqualTypeOf<Documented<'OwnAlert'>>()
  expectTypeOf<client.IssuedAlert>().toEqualTypeOf<Documented<'AlertIssued'>>()
  expectTypeOf<client.ReconciledAlert>().toEqualTypeOf<Documented<'AlertReconciled'>>()
  expectTypeOf<client.EditedAlert>().toEqualTypeOf<Documented<'AlertEdited'>>()
  expectTypeOf<client.RotatedAlert>().toEqualTypeOf<Documented<'AlertRotated'>>()
  expectTypeOf<client.QueuedAlertTest>().toEqualTypeOf<Documented<'AlertTestQueued'>>()
  expectTypeOf<client.AlertDeliveryPage>().toEqualTypeOf<Documented<'AlertDeliveryPage'>>()
  expectTypeOf<client.AlertEvent>().toEqualTypeOf<Documented<'AlertEvent'>>()
})
