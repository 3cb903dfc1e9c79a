import type { GatewayNotice } from '../../../domain/gateway-notice.ts'
import type { GatewayOperationType, Outcome } from '../../../domain/operation.ts'
import { noticeOf } from './courier.ts'
import { type Execute, readOutcome } from './log.ts'

/** A request as the simulator saw it; `outcome` is what really happened, however the answer fared. */
export interface LoggedRequest {
  reference: string
  type: GatewayOperationType
  gatewayConfigurationId: string
  invoiceId: string
  gatewayAuthorizationId: string | null
  amountMinor: number
  currency: string
  scenario: string | null
  outcome: Outcome
  askedAt: Date
  /** How often the reference came; it was done once. */
  timesAsked: number
  /** How often it was asked what became of the reference. */
  lookedUp: number
}

/** What the simulator holds of an authorization: the totals that our own books must agree with. */
export interface HeldAuthorization {
  gatewayAuthorizationId: string
  gatewayConfigurationId: string
  scenario: string
  currency: string
  authorizedMinor: number
  capturedMinor: number
  /** In captures whose outcome is pending. */
  capturingMinor: number
  voidedMinor: number
  refundedMinor: number
  /** In refunds whose outcome is pending. */
  refundingMinor: number
  captures: number
}

/** Something that the simulator tells unasked. */
export interface LoggedNotice extends GatewayNotice {
  dueAt: Date
  deliveredAt: Date | null
}

export interface SimulatorLog {
  /** Oldest first. */
  requests: LoggedRequest[]
  authorizations: HeldAuthorization[]
  /** Those of the payments that the requests belong to, in the order in which they are due. */
  notices: LoggedNotice[]
}

/** Only the entries for which all of these hold; without any, the whole log. */
export interface SimulatorLogFilter {
  reference?: string
  invoiceId?: string
  authorizationId?: string
}

const REQUESTS = `
select *, (extract(epoch from asked_at) * 1000)::bigint::text as asked_at_ms
from simulator.request
where ($1::text is null or reference = $1) and ($2::text is null or invoice_id = $2)
  and ($3::text is null or gateway_authorization_id = $3)
order by asked_at, reference`

const AUTHORIZATIONS = `
select * from simulator.held_authorization
where id in (
  select gateway_authorization_id from simulator.request
  where ($1::text is null or reference = $1) and ($2::text is null or invoice_id = $2)
    and ($3::text is null or gateway_authorization_id = $3)
)
order by id`

const NOTICES = `
select *, (extract(epoch from due_at) * 1000)::bigint::text as due_at_ms,
  (extract(epoch from delivered_at) * 1000)::bigint::text as delivered_at_ms
from simulator.notice
where invoice_id in (
  select invoice_id from simulator.request
  where ($1::text is null or reference = $1) and ($2::text is null or invoice_id = $2)
    and ($3::text is null or gateway_authorization_id = $3)
)
order by due_at, id`

/** Reads the simulator's own books: an independent witness for tests and benchmarks, never for the product. */
export async function readSimulatorLog(execute: Execute, filter: SimulatorLogFilter = {}): Promise<SimulatorLog> {
  const parameters = [filter.reference ?? null, filter.invoiceId ?? null, filter.authorizationId ?? null]
  const requests = await execute(REQUESTS, parameters)
  const authorizations = await execute(AUTHORIZATIONS, parameters)
  const notices = await execute(NOTICES, parameters)
  return {
    requests: requests.map(requestOf),
    authorizations: authorizations.map(authorizationOf),
    notices: notices.map(loggedNoticeOf),
  }
}

function requestOf(row: Record<string, unknown>): LoggedRequest {
  return {
    reference: String(row.reference),
    type: row.type as GatewayOperationType,
    gatewayConfigurationId: String(row.gateway_configuration_id),
    invoiceId: String(row.invoice_id),
    gatewayAuthorizationId: row.gateway_authorization_id as string | null,
    amountMinor: Number(row.amount_minor),
    currency: String(row.currency),
    scenario: row.scenario as string | null,
    outcome: readOutcome(row.outcome),
    askedAt: new Date(Number(row.asked_at_ms)),
    timesAsked: Number(row.times_asked),
    lookedUp: Number(row.looked_up),
  }
}

function authorizationOf(row: Record<string, unknown>): HeldAuthorization {
  return {
    gatewayAuthorizationId: String(row.id),
    gatewayConfigurationId: String(row.gateway_configuration_id),
    scenario: String(row.scenario),
    currency: String(row.currency),
    authorizedMinor: Number(row.authorized_minor),
    capturedMinor: Number(row.captured_minor),
    capturingMinor: Number(row.capturing_minor),
    voidedMinor: Number(row.voided_minor),
    refundedMinor: Number(row.refunded_minor),
    refundingMinor: Number(row.refunding_minor),
    captures: Number(row.captures),
  }
}

function loggedNoticeOf(row: Record<string, unknown>): LoggedNotice {
  return {
    ...noticeOf(row),
    dueAt: new Date(Number(row.due_at_ms)),
    deliveredAt: row.delivered_at_ms === null ? null : new Date(Number(row.delivered_at_ms)),
  }
}
