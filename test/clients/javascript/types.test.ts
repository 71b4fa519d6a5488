import { expectTypeOf, it } from 'vitest'
import type * as z from 'zod'
import type * as client from '../../../clients/javascript/index.ts'
import type * as catalogue from '../../../shared/market/catalog.ts'
import type { alertEvent, alertSchemas, ownAlert } from '../../../shared/api/alerts.ts'
import type { conversion } from '../../../shared/api/convert.ts'
import type * as current from '../../../shared/api/current.ts'
import type { datedQuote } from '../../../shared/api/dates.ts'
import type * as history from '../../../shared/api/history.ts'
import type { invoicingRate } from '../../../shared/api/invoicing.ts'
import type { seriesTable } from '../../../shared/api/series.ts'
import type { serviceStatus } from '../../../shared/api/service.ts'
import type { ownWebhook, webhookEvent, webhookSchemas } from '../../../shared/api/webhooks.ts'

/** What the documents of the API say that an answer is. */
type Documented<Schema extends () => z.core.$ZodType> = z.infer<ReturnType<Schema>>
type DocumentedWebhook<Name extends keyof typeof webhookSchemas> = Documented<
  (typeof webhookSchemas)[Name]
>
type DocumentedAlert<Name extends keyof typeof alertSchemas> = Documented<
  (typeof alertSchemas)[Name]
>

it('has the codes of the catalogue', () => {
  expectTypeOf<client.Currency>().toEqualTypeOf<catalogue.Currency>()
  expectTypeOf<client.Origin>().toEqualTypeOf<catalogue.Origin>()
  expectTypeOf<client.ValueType>().toEqualTypeOf<catalogue.ValueType>()
})

it('types quotes, dates and history as the documents do', () => {
  expectTypeOf<client.Quote>().toEqualTypeOf<Documented<typeof current.quote>>()
  expectTypeOf<client.Change>().toEqualTypeOf<Documented<typeof current.change>>()
  expectTypeOf<client.CurrentQuote>().toEqualTypeOf<Documented<typeof current.currentQuote>>()
  expectTypeOf<client.QuoteAsOf>().toEqualTypeOf<Documented<typeof datedQuote>>()
  expectTypeOf<client.HistoryPoint>().toEqualTypeOf<Documented<typeof history.historyPoint>>()
  expectTypeOf<client.Candles>().toEqualTypeOf<Documented<typeof history.candles>>()
  expectTypeOf<client.ServiceStatus>().toEqualTypeOf<Documented<typeof serviceStatus>>()
})

it('types webhooks and deliveries as the documents do', () => {
  expectTypeOf<client.WebhookList>().toEqualTypeOf<DocumentedWebhook<'list'>>()
  expectTypeOf<client.OwnWebhook>().toEqualTypeOf<Documented<typeof ownWebhook>>()
  expectTypeOf<client.IssuedWebhook>().toEqualTypeOf<DocumentedWebhook<'issued'>>()
  expectTypeOf<client.ReconciledWebhook>().toEqualTypeOf<DocumentedWebhook<'reconciled'>>()
  expectTypeOf<client.EditedWebhook>().toEqualTypeOf<DocumentedWebhook<'edited'>>()
  expectTypeOf<client.QueuedTest>().toEqualTypeOf<DocumentedWebhook<'testQueued'>>()
  expectTypeOf<client.DeliveryPage>().toEqualTypeOf<DocumentedWebhook<'deliveryPage'>>()
  expectTypeOf<client.WebhookEvent>().toEqualTypeOf<Documented<typeof webhookEvent>>()
})

it('types what goes beyond the contract as the documents do', () => {
  expectTypeOf<client.Conversion>().toEqualTypeOf<Documented<typeof conversion>>()
  expectTypeOf<client.InvoicingRate>().toEqualTypeOf<Documented<typeof invoicingRate>>()
  expectTypeOf<client.Series>().toEqualTypeOf<Documented<typeof seriesTable>>()
})

it('types alerts as the documents do', () => {
  expectTypeOf<client.AlertList>().toEqualTypeOf<DocumentedAlert<'list'>>()
  expectTypeOf<client.OwnAlert>().toEqualTypeOf<Documented<typeof ownAlert>>()
  expectTypeOf<client.IssuedAlert>().toEqualTypeOf<DocumentedAlert<'issued'>>()
  expectTypeOf<client.ReconciledAlert>().toEqualTypeOf<DocumentedAlert<'reconciled'>>()
  expectTypeOf<client.EditedAlert>().toEqualTypeOf<DocumentedAlert<'edited'>>()
  expectTypeOf<client.RotatedAlert>().toEqualTypeOf<DocumentedAlert<'rotated'>>()
  expectTypeOf<client.QueuedAlertTest>().toEqualTypeOf<DocumentedAlert<'testQueued'>>()
  expectTypeOf<client.AlertDeliveryPage>().toEqualTypeOf<DocumentedAlert<'deliveryPage'>>()
  expectTypeOf<client.AlertEvent>().toEqualTypeOf<Documented<typeof alertEvent>>()
})
