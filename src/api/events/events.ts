import type { ErrorCode } from '../../../domain/errors.ts'
import { recordCallersAct } from '../../http/acts.ts'
import { invalidState } from '../../http/api-error.ts'
import { type ApiMiddleware, scopeOf } from '../../http/context.ts'
import type { AppDeps } from '../../http/dependencies.ts'
import { readExpansion } from '../../http/expansion/paths.ts'
import { represent } from '../../http/expansion/represent.ts'
import { readerOn } from '../../http/expansion/resource.ts'
import { invalidField } from '../../http/input/input.ts'
import { readPageRequest, unknownCursor } from '../../http/input/query.ts'
import { readFilters } from '../../http/lists/filter.ts'
import { listBody, tellNarrower, within } from '../../http/lists/list.ts'
import { EVENT_FILTERS } from '../../http/lists/list-definitions.ts'
import { rowIn } from '../../http/lists/row-in.ts'
import { bodyOf } from '../../http/middleware/body.ts'
import { presentWebhookDelivery } from '../../objects/webhook-delivery.ts'
import type { EventRow } from '../../persistence/entities/event.ts'
import { WebhookEndpointEntity } from '../../persistence/entities/webhook-endpoint.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { lockKept } from '../../persistence/queries/kept-rows.ts'
import { listEvents as findPage } from '../../persistence/queries/lists/list-events.ts'
import type { Scope } from '../../persistence/queries/scope.ts'
import { resendEvent as queueAgain } from '../../persistence/queries/webhooks/resend-event.ts'
import type { Change } from '../change.ts'
import { readResend } from '../webhook-endpoints/webhook-command-input.ts'

/** Events in the order of their commits, unlike other lists: see `list-events.ts`. */
export function listEvents({ orm, clock, waits }: Pick<AppDeps, 'orm' | 'clock' | 'waits'>): ApiMiddleware {
  return async (ctx) => {
    const reader = readerOn(orm, scopeOf(ctx), clock.now())
    const request = readPageRequest(ctx, 'event')
    const conditions = readFilters(ctx, EVENT_FILTERS, reader.now)
    const expansion = readExpansion(ctx, 'event')
    const asked = { ...request, ...within(waits, conditions), conditions }
    const page = await findPage(reader.em, reader.scope, asked).catch(tellNarrower('fired_at'))
    if (page === null) throw unknownCursor(request)
    ctx.body = listBody('events', request, page, await represent(reader, 'event', page.rows, expansion))
  }
}

/** Sends an event again with a new schedule, to one endpoint or to all that take it. */
export async function resendEvent({ deps, ctx, em, changes }: Change) {
  const scope = scopeOf(ctx)
  const now = deps.clock.now()
  const event = (await rowIn(ctx, { em, scope }, 'event')) as EventRow
  const { endpointId } = readResend(bodyOf(ctx))
  if (endpointId !== null) await holdEnabledEndpoint(em, scope, endpointId)
  const deliveries = await queueAgain(em, scope, { eventId: event.id, endpointId, now })
  const [first] = deliveries
  if (first === undefined) throw invalidState(NOBODY_TAKES_IT)
  const { id: eventId, name: eventName, invoiceId = null } = event
  changes.fired({ ...scope, eventId, eventName, invoiceId, run: first.run })
  const facts = { event_id: eventId, webhook_endpoint_id: endpointId, run: first.run }
  await recordCallersAct(ctx, em, 'event.resent', facts)
  return { webhooks: deliveries.map((delivery) => presentWebhookDelivery(delivery, null)) }
}

const NOBODY_TAKES_IT =
  'There is nobody to send this event to: no enabled webhook endpoint takes it, and it was never sent to a URL of its own.'

/** @throws ApiError where the caller has no such endpoint, or it is disabled. */
async function holdEnabledEndpoint(em: EntityManager, scope: Scope, endpointId: string): Promise<void> {
  const wrong = (message: string, code: ErrorCode) => invalidField('endpoint_id', message, code)
  const endpoint = await lockKept(em, WebhookEndpointEntity, scope, endpointId)
  if (endpoint === null) throw wrong('is not a webhook endpoint of this project', 'resource.webhook-endpoint.not-found')
  if (!endpoint.enabled) throw wrong('is disabled; enable it first', 'request.validation.invalid-state')
}
