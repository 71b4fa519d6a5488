/** The parameters of methods, and names for parts of answers. */
import type {
  CreateAlertBody,
  CreateWebhookBody,
  Delivery,
  EditAlertBody,
  InvoicingRate,
  Quote,
  Series,
} from './api.ts'

export type Currency = Quote['currency']
export type Origin = Quote['origin']
export type ValueType = Quote['valueType']
export type Side = Series['side']
/** ISO codes of Banco Nación's wholesale table. */
export type InvoicingCurrency = InvoicingRate['currency']

/** A code of the catalogue, in any letter case. */
export type Code<Name extends string> = Name | Lowercase<Name>

/** A body in which `operationId` may be absent: the client then makes one. */
type Creation<Body extends { operationId: string }> = Omit<Body, 'operationId'> & {
  operationId?: string | undefined
}
export type NewWebhook = Creation<CreateWebhookBody>
export type NewAlert = Given<Creation<CreateAlertBody>>
export type AlertEdit = Given<EditAlertBody>

/** A body in which prices and percents may also be texts. */
type Given<Body> = {
  [Name in keyof Body]: Name extends 'threshold' | 'hysteresis' ? Body[Name] | string : Body[Name]
}

export type DeliveriesOptions = {
  webhookId?: string | undefined
  deliveryId?: string | undefined
  status?: Delivery['status'] | undefined
  cursor?: string | undefined
  /** 1 to 50. */
  limit?: number | undefined
}

export type AlertDeliveriesOptions = Omit<DeliveriesOptions, 'webhookId'> & {
  alertId?: string | undefined
}

export interface SeriesOptions {
  /** `usd/blue`, up to 19. */
  pairs: readonly string[]
  /** Argentine days `YYYY-MM-DD`, both inclusive. */
  from?: string | undefined
  to?: string | undefined
  every?: NonNullable<Series['every']> | undefined
  value?: Series['value'] | undefined
  side?: Side | undefined
  /** Single days instead of a range, up to 500. */
  dates?: readonly string[] | undefined
  /** Whether to add first, last, change, minimum, maximum and average. */
  summary?: boolean | undefined
}

export interface ConvertOptions {
  /** A decimal; a string keeps digits that a number would lose. */
  amount: number | string
  /** ISO code, in any letter case. */
  from: string
  to: string
  /** Which rate: `blue`, `oficial`, … */
  origin?: string | undefined
  side?: Side | 'mid' | undefined
  /** Argentine day and time; now when absent. */
  date?: string | undefined
  time?: string | undefined
  decimals?: number | undefined
}
