import { expectTypeOf, it } from 'vitest'
import type * as z from 'zod'
import type * as client from '../../../clients/javascript/index.ts'
import type * as catalogue from '../../../shared/market/catalog.ts'
import type * as convert from '../../../workers/site/reference/extensions/convert.ts'
import type * as invoicing from '../../../workers/site/reference/extensions/invoicing.ts'
import type * as series from '../../../workers/site/reference/extensions/series.ts'
import type * as quotes from '../../../workers/site/reference/schemas/quotes.ts'
import type * as webhooks from '../../../workers/site/reference/schemas/webhooks.ts'

/** What the documents of the API say that an answer is. */
type Documented<Schema extends z.ZodType> = z.infer<Schema>

it('has the codes of the catalogue', () => {
  expectTypeOf<client.Currency>().toEqualTypeOf<catalogue.Currency>()
  expectTypeOf<client.Origin>().toEqualTypeOf<catalogue.Origin>()
  expectTypeOf<client.ValueType>().toEqualTypeOf<catalogue.ValueType>()
})

it('types quotes, dates and history as the documents do', () => {
  expectTypeOf<client.Quote>().toEqualTypeOf<Documented<typeof quotes.quote>>()
  expectTypeOf<client.Change>().toEqualTypeOf<Documented<typeof quotes.change>>()
  expectTypeOf<client.CurrentQuote>().toEqualTypeOf<Documented<typeof quotes.currentQuote>>()
  expectTypeOf<client.QuoteAsOf>().toEqualTypeOf<Documented<typeof quotes.datedQuote>>()
  expectTypeOf<client.HistoryPoint>().toEqualTypeOf<Documented<typeof quotes.historyPoint>>()
  expectTypeOf<client.Candles>().toEqualTypeOf<Documented<typeof quotes.candles>>()
  expectTypeOf<client.ServiceStatus>().toEqualTypeOf<Documented<typeof quotes.serviceStatus>>()
})

it('types webhooks and deliveries as the documents do', () => {
  expectTypeOf<client.WebhookList>().toEqualTypeOf<Documented<typeof webhooks.webhookList>>()
  expectTypeOf<client.OwnWebhook>().toEqualTypeOf<Documented<typeof webhooks.ownWebhook>>()
  expectTypeOf<client.IssuedWebhook>().toEqualTypeOf<Documented<typeof webhooks.webhookIssued>>()
  expectTypeOf<client.ReconciledWebhook>().toEqualTypeOf<
    Documented<typeof webhooks.webhookReconciled>
  >()
  expectTypeOf<client.EditedWebhook>().toEqualTypeOf<Documented<typeof webhooks.webhookEdited>>()
  expectTypeOf<client.QueuedTest>().toEqualTypeOf<Documented<typeof webhooks.testQueued>>()
  expectTypeOf<client.DeliveryPage>().toEqualTypeOf<Documented<typeof webhooks.deliveryPage>>()
  expectTypeOf<client.WebhookEvent>().toEqualTypeOf<Documented<typeof webhooks.webhookEvent>>()
})

it('types what goes beyond the contract as the documents do', () => {
  expectTypeOf<client.Conversion>().toEqualTypeOf<Documented<typeof convert.conversion>>()
  expectTypeOf<client.InvoicingRate>().toEqualTypeOf<Documented<typeof invoicing.rate>>()
  expectTypeOf<client.Series>().toEqualTypeOf<Documented<typeof series.series>>()
})
