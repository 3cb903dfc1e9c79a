import type { EventName, FiredEvent } from '../../../../domain/webhook-event.ts'
import type { Reader } from '../../rows.ts'
import type { Scope } from '../scope.ts'

/** An event to be written. */
export interface NewEvent {
  id: string
  name: EventName
  invoiceId: string | null
  transactionId: string | null
  /** Counts the events of one transaction, from 1; null where there is none. */
  sequence: number | null
  /** The customer whose personal data the snapshot holds. */
  customerId: string | null
  /** The stored snapshot, in the shape of the API's answers. */
  data: Record<string, unknown>
  firedAt: Date
}

/** The targets of events. */
export type Targets =
  /** Every enabled endpoint that takes the event, and the URL of the invoice or the token, if it has one. */
  | { kind: 'all'; ownUrl: string | null }
  /** This enabled endpoint, whichever events it takes. */
  | { kind: 'endpoint'; endpointId: string }

/**
 * The id of a delivery follows from its event and its target, so that no event has two deliveries to one target. It cannot
 * be guessed, because the event's id cannot be guessed.
 */
export const DELIVERY_ID = `'whd_' || left(encode(sha256(convert_to(
  target.event_id || ':' || coalesce(target.endpoint_id, ''), 'UTF8')), 'hex'), 32)`

/** SQL that writes events and their deliveries, alone or as part of a statement; `?` stands for its values. */
export interface EventsToFire {
  /** Expressions of a `with`, and the query after them, which returns the targets of the events. */
  expressions: string
  query: string
  parameters: unknown[]
  /** The events that have a target, to be announced after the commit. */
  announced(rows: readonly Announced[]): FiredEvent[]
}

/** A target of a fired event: the id of the event, and whether the target is a failing endpoint. */
export interface Announced {
  id: string
  isFailing: boolean
}

/**
 * Makes the SQL that writes events and a delivery for each target. The statement chooses the targets once, among the
 * endpoints that are enabled at that moment.
 */
export function makeFiring(scope: Scope, events: readonly NewEvent[], targets: Targets): EventsToFire {
  const { projectId, sandbox } = scope
  const addressed = selectTargets(scope, targets)
  return {
    expressions: `
      fired as (
        insert into event
          (project_id, sandbox, id, name, invoice_id, transaction_id, sequence, customer_id, data, fired_at)
        values ${events.map(() => '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').join(', ')}
        returning id, name, fired_at
      ), ${addressed.expressions}`,
    query: `
      insert into delivery
        (id, project_id, sandbox, event_id, endpoint_id, target_url, status, queued_at, created_at)
      select ${DELIVERY_ID}, ?::text, ?::boolean, target.event_id, target.endpoint_id, target.url,
             'pending', target.fired_at, target.fired_at
        from target
      returning event_id as id, coalesce(
        (select failing_since is not null from webhook_endpoint where id = delivery.endpoint_id), false) as "isFailing"`,
    parameters: [
      ...events.flatMap((event) => [projectId, sandbox, ...listValues(event)]),
      ...addressed.parameters,
      projectId,
      sandbox,
    ],
    announced(rows) {
      return events.flatMap(({ id, name, invoiceId }) => {
        const targets = rows.filter((row) => row.id === id)
        if (targets.length === 0) return []
        const isFailing = targets.every((target) => target.isFailing)
        return [{ projectId, sandbox, eventId: id, eventName: name, invoiceId, run: 0, isFailing }]
      })
    },
  }
}

/**
 * Writes events and a delivery for each target, in the database transaction of the change that they report.
 *
 * @returns the events that have a target, to be announced after the commit.
 */
export async function writeEvents(
  reader: Reader,
  scope: Scope,
  events: readonly NewEvent[],
  targets: Targets,
): Promise<FiredEvent[]> {
  if (events.length === 0) return []
  const { expressions, query, parameters, announced } = makeFiring(scope, events, targets)
  return announced(await reader.execute<Announced[]>(`with ${expressions} ${query}`, parameters))
}

/** SQL that selects the targets of the fired events. */
function selectTargets(
  { projectId, sandbox }: Scope,
  targets: Targets,
): Pick<EventsToFire, 'expressions' | 'parameters'> {
  const { condition, ids } =
    targets.kind === 'all'
      ? { condition: '(endpoint.events_whitelist is null or fired.name = any (endpoint.events_whitelist))', ids: [] }
      : { condition: 'endpoint.id = ?', ids: [targets.endpointId] }
  const endpoints = `
    select fired.id as event_id, endpoint.id as endpoint_id, endpoint.url, fired.fired_at
      from fired, webhook_endpoint endpoint
     where endpoint.project_id = ? and endpoint.sandbox = ? and endpoint.enabled and endpoint.deleted_at is null
       and ${condition}`
  const parameters = [projectId, sandbox, ...ids]
  const ownUrl = targets.kind === 'all' ? targets.ownUrl : null
  if (ownUrl === null) return { expressions: `target as (${endpoints})`, parameters }
  return {
    expressions: `
      addressed as (${endpoints}), target as (
        select * from addressed
        union all
        select fired.id, null, ?::text, fired.fired_at
          from fired
         where not exists (select from addressed where event_id = fired.id and url = ?)
      )`,
    parameters: [...parameters, ownUrl, ownUrl],
  }
}

function listValues({ id, name, invoiceId, transactionId, sequence, customerId, data, firedAt }: NewEvent) {
  return [id, name, invoiceId, transactionId, sequence, customerId, JSON.stringify(data), firedAt]
}
