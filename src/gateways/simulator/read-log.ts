import type { HeldAuthorization as Held } from './follow-ups.ts'
import { type Entry, type Execute, type NotificationEntry, objectOf } from './ledger.ts'

/** A request as the simulator saw it; `outcome` is what really happened, however the answer fared. */
export interface LoggedRequest extends Omit<Entry, 'isFinal' | 'later' | 'delivery'> {
  /** How often the reference came; it was done once. */
  timesAsked: number
  /** How often it was asked what became of the reference. */
  lookedUp: number
}

/** What the simulator holds of an authorization: the totals that our own books must agree with. */
export type HeldAuthorization = Omit<Held, 'id' | 'incremental' | 'failedCaptures'> & { gatewayAuthorizationId: string }

export type LoggedNotification = Omit<NotificationEntry, 'copies'> & { deliveredAt: Date | null }

export interface SimulatorLog {
  /** Oldest first. */
  requests: LoggedRequest[]
  authorizations: HeldAuthorization[]
  /** Those of the payments that the requests belong to, in the order in which they are due. */
  notifications: LoggedNotification[]
}

/** Only the entries for which all of these hold; without any, the whole log. */
export interface SimulatorLogFilter {
  reference?: string
  invoiceId?: string
  authorizationId?: string
}

const WANTED = `($1::text is null or reference = $1) and ($2::text is null or invoice_id = $2)
  and ($3::text is null or gateway_authorization_id = $3)`

const REQUESTS = `
select to_jsonb(r) - '{is_final,later,delivery}'::text[] as entry from simulator.request as r
where ${WANTED} order by asked_at, reference`

const AUTHORIZATIONS = `
select to_jsonb(a) - '{id,incremental,failed_captures}'::text[]
  || jsonb_build_object('gateway_authorization_id', id) as entry
from simulator.held_authorization as a
where id in (select gateway_authorization_id from simulator.request where ${WANTED}) order by id`

const NOTIFICATIONS = `
select to_jsonb(n) - '{copies,taken_until,attempts}'::text[] as entry from simulator.notification as n
where invoice_id in (select invoice_id from simulator.request where ${WANTED}) order by due_at, id`

/** Reads the simulator's own books: an independent witness for tests and benchmarks, never for the product. */
export async function readSimulatorLog(execute: Execute, filter: SimulatorLogFilter = {}): Promise<SimulatorLog> {
  const parameters = [filter.reference ?? null, filter.invoiceId ?? null, filter.authorizationId ?? null]
  const read = async <T>(sql: string) => (await execute(sql, parameters)).map(({ entry }) => objectOf<T>(entry))
  return {
    requests: await read(REQUESTS),
    authorizations: await read(AUTHORIZATIONS),
    notifications: await read(NOTIFICATIONS),
  }
}
