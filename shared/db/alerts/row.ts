import type { Instant } from '../../argentine-time.ts'
import type { Alert, Channel, Condition, Phase, Side } from '../../alerts/alert.ts'
import { pairById } from '../../market/catalog.ts'
import type { WebhookState } from '../../webhooks/webhook.ts'
import { inCatalogue } from '../in-catalogue.ts'
import { isOfKind } from '../kind.ts'
import type { SealedFields } from '../webhooks/row.ts'
import { IS_MET, watchedSql } from './watch-sql.ts'

/** An alert with its sealed fields. */
export interface StoredAlert extends Alert {
  sealed: SealedFields
}

/**
 * Selects alerts with what they watch, as it is now. `where` is a condition on a row of `webhooks`,
 * `start` the SQL of today's Argentine midnight.
 */
export function selectAlerts(where: string, start: string): string {
  const source = `(select * from webhooks where ${isOfKind('alert', 'pair')} and ${where}) w`
  return `select id, operation_id as operationId, pair, destination, url_sealed as url,
      authorization_sealed as "authorization", secret_sealed as secret, enabled, state, version,
      created_at as createdAt, channel, side, condition, threshold, hysteresis,
      other_pair as otherPair, other_side as otherSide, repeats, phase, fired_at as firedAt,
      value, base, coalesce(${IS_MET}, 0) as isMet
    from (${watchedSql(source, start)})
    where other_pair is null or ${inCatalogue('other_pair')} order by created_at, id`
}

/** A row as D1 gives it. */
export interface AlertRow {
  id: string
  operationId: string
  pair: number
  destination: string
  url: string
  authorization: string | null
  secret: string
  enabled: 0 | 1
  state: WebhookState
  version: number
  createdAt: Instant
  channel: Channel
  side: Side
  condition: Condition
  threshold: number
  hysteresis: number
  otherPair: number | null
  otherSide: Side | null
  repeats: 0 | 1
  phase: Phase
  firedAt: Instant | null
  value: number | null
  base: number | null
  isMet: 0 | 1
}

export function toAlert(row: AlertRow): StoredAlert {
  return {
    id: row.id,
    operationId: row.operationId,
    pair: pairById(row.pair)!,
    side: row.side,
    condition: row.condition,
    threshold: row.threshold,
    hysteresis: row.hysteresis,
    against:
      row.otherPair === null ? null : { pair: pairById(row.otherPair)!, side: row.otherSide! },
    repeats: row.repeats === 1,
    channel: row.channel,
    destination: row.channel === 'email' ? null : row.destination,
    receiverAuthorizationConfigured: row.authorization !== null,
    enabled: row.enabled === 1,
    state: row.state,
    phase: row.phase,
    version: row.version,
    firedAt: row.firedAt,
    createdAt: row.createdAt,
    now: row.value === null ? null : { value: row.value, base: row.base, isMet: row.isMet === 1 },
    sealed: { url: row.url, authorization: row.authorization, secret: row.secret },
  }
}
