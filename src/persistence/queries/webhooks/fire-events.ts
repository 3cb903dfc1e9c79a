import type { EventName, FiredEvent } from '../../../../domain/webhook-event.ts'
import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'

/** An event to be written. */
export interface NewEvent {
  id: string
  name: EventName
  invoiceId: string | null
  transactionId: string | null
  /** Counts the events of one transaction, from 1; null where there is none. */
  sequence: number | null
  /** Whose personal data the snapshot holds. */
  customerId: string | null
  /** The snapshot that is stored, in the shape of the answers. */
  data: Record<string, unknown>
  firedAt: Date
}

/** Where events go. */
export type Targets =
  /** To every enabled endpoint that takes them, and to the URL of the invoice or the token, where there is one. */
  | { kind: 'all'; ownUrl: string | null }
  /** To this enabled endpoint, whatever else it takes. */
  | { kind: 'endpoint'; endpointId: string }

/**
 * The id of a delivery follows from its event and its target, so that no event has two for one target. Nobody can guess
 * it, because nobody can guess the id of an event.
 */
export const DELIVERY_ID = `'whd_' || left(encode(sha256(convert_to(
  target.event_id || ':' || coalesce(target.endpoint_id, ''), 'UTF8')), 'hex'), 32)`

/** What writes events and their deliveries, to be made a part of a statement or one by itself. */
export interface EventsToFire {
  /** Expressions of a `with`, and the query after them that gives the ids of the events that somebody is to receive. */
  expressions: string
  query: string
  parameters: unknown[]
  /** The events that those are, for whoever announces them after the commit. */
  announced(rows: readonly { id: string }[]): FiredEvent[]
}

/**
 * What writes events, and a delivery of each for every target. Who is to receive them is decided there, once, by what is
 * enabled at that moment.
 */
export function firingOf({ projectId, sandbox }: Scope, events: readonly NewEvent[], targets: Targets): EventsToFire {
  const endpointId = targets.kind === 'endpoint' ? targets.endpointId : null
  const ownUrl = targets.kind === 'all' ? targets.ownUrl : null
  return {
    expressions: EXPRESSIONS,
    query: 'select distinct event_id as id from queued',
    parameters: [projectId, sandbox, endpointId, ownUrl, JSON.stringify(events.map(columnsOf))],
    announced(rows) {
      const ids = new Set(rows.map(({ id }) => id))
      return events
        .filter(({ id }) => ids.has(id))
        .map(({ id, name, invoiceId }) => ({ projectId, sandbox, eventId: id, eventName: name, invoiceId, run: 0 }))
    },
  }
}

/**
 * Writes events, and a delivery of each for every target, in the caller's database transaction: that of the change they
 * tell of.
 *
 * @returns those that somebody is to receive, to be announced after the commit.
 */
export async function fireEvents(
  em: EntityManager,
  scope: Scope,
  events: readonly NewEvent[],
  targets: Targets,
): Promise<FiredEvent[]> {
  if (events.length === 0) return []
  const { expressions, query, parameters, announced } = firingOf(scope, events, targets)
  return announced(await em.execute<{ id: string }[]>(`with ${expressions} ${query}`, parameters))
}

const EXPRESSIONS = `
     given as (select ?::text as project_id, ?::boolean as sandbox, ?::text as endpoint_id, ?::text as own_url),
     fired as (
       insert into event
         (id, project_id, sandbox, name, invoice_id, transaction_id, sequence, customer_id, data, fired_at)
       select event.id, given.project_id, given.sandbox, event.name, event.invoice_id, event.transaction_id,
              event.sequence, event.customer_id, event.data::json, event.fired_at
         from given, json_to_recordset(?::json) as event (
           id text, name text, invoice_id text, transaction_id text, sequence integer, customer_id text, data text,
           fired_at timestamptz)
       returning id, name, fired_at
     ), endpoint as (
       select webhook_endpoint.*
         from webhook_endpoint, given
        where webhook_endpoint.project_id = given.project_id and webhook_endpoint.sandbox = given.sandbox
          and webhook_endpoint.enabled and webhook_endpoint.deleted_at is null
          and webhook_endpoint.id = coalesce(given.endpoint_id, webhook_endpoint.id)
     ), addressed as (
       select fired.id as event_id, endpoint.id as endpoint_id, endpoint.url, fired.fired_at
         from fired, given, endpoint
        where given.endpoint_id is not null
           or endpoint.events_whitelist is null or fired.name = any (endpoint.events_whitelist)
     ), target as (
       select * from addressed
       union all
       select fired.id, null, given.own_url, fired.fired_at
         from fired, given
        where given.own_url is not null
          and not exists (select from addressed where event_id = fired.id and url = given.own_url)
     ), queued as (
       insert into delivery
         (id, project_id, sandbox, event_id, endpoint_id, target_url, status, queued_at, created_at)
       select ${DELIVERY_ID}, given.project_id, given.sandbox, target.event_id, target.endpoint_id, target.url,
              'pending', target.fired_at, target.fired_at
         from target, given
       returning event_id
     )`

function columnsOf({ id, name, invoiceId, transactionId, sequence, customerId, data, firedAt }: NewEvent) {
  return {
    id,
    name,
    invoice_id: invoiceId,
    transaction_id: transactionId,
    sequence,
    customer_id: customerId,
    // A text within the text: read as a part of the list, it would be refused for what a column of JSON takes.
    data: JSON.stringify(data),
    fired_at: firedAt.toISOString(),
  }
}
