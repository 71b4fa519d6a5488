import { expectTypeOf, it } from 'vitest'
import type * as z from 'zod'
import type * as client from '../../../clients/javascript/index.ts'
import type { currentQuote } from '../../../shared/api/current.ts'
import type { seriesTable } from '../../../shared/api/series.ts'
import type { serviceStatus } from '../../../shared/api/service.ts'
import type * as catalogue from '../../../shared/market/catalog.ts'
import type { alertEvent } from '../../../workers/site/reference/events.ts'

type Defined<Schema extends () => z.core.$ZodType> = z.infer<ReturnType<Schema>>

it('has answers of every form as they are defined', () => {
  expectTypeOf<client.CurrentQuote>().toEqualTypeOf<Defined<typeof currentQuote>>()
  expectTypeOf<client.Status>().toEqualTypeOf<Defined<typeof serviceStatus>>()
  expectTypeOf<client.Series>().toEqualTypeOf<Defined<typeof seriesTable>>()
  expectTypeOf<client.AlertEvent>().toEqualTypeOf<Defined<typeof alertEvent>>()
})

it('has the codes of the catalogue', () => {
  expectTypeOf<client.Currency>().toEqualTypeOf<catalogue.Currency>()
  expectTypeOf<client.Origin>().toEqualTypeOf<catalogue.Origin>()
})

it('takes bodies without what has a default', () => {
  const alert = { currency: 'USD', origin: 'BLUE', condition: 'above', threshold: 1500 } as const
  expectTypeOf(alert).toExtend<client.NewAlert>()
  expectTypeOf<client.EditAlertBody['receiverAuthorization']>().toEqualTypeOf<
    string | null | undefined
  >()
})
