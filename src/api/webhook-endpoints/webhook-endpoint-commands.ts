import { recordCallersAct } from '../../http/acts.ts'
import { invalidState } from '../../http/api-error.ts'
import { type ApiContext, type ApiMiddleware, scopeOf } from '../../http/context.ts'
import type { AppDeps } from '../../http/dependencies.ts'
import { mutation } from '../../http/idempotency.ts'
import { bodyOf } from '../../http/middleware/body.ts'
import { neverCompressed } from '../../http/middleware/compression.ts'
import { presentEvent } from '../../objects/event.ts'
import { presentWebhookEndpoint, presentWebhookEndpointEventData } from '../../objects/webhook-endpoint.ts'
import { EventEntity, type EventRow } from '../../persistence/entities/event.ts'
import type { WebhookEndpointRow } from '../../persistence/entities/webhook-endpoint.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { findObject } from '../../persistence/queries/lists/list-entity.ts'
import { fireProjectEvent } from '../../persistence/queries/webhooks/project-event.ts'
import { recoverEvents } from '../../persistence/queries/webhooks/recover-events.ts'
import { findPublicKey } from '../../persistence/queries/webhooks/webhook-secrets.ts'
import type { Change } from '../change.ts'
import { rotateSecrets } from './endpoint-secrets.ts'
import { keptSecret } from './kept-secret.ts'
import { readRecovery, readRotation, refuseFields } from './webhook-command-input.ts'
import { endpointFacts, lockEndpointIn } from './webhook-endpoints.ts'

/** Events that one request recovers: a statement of a second or two, and an hour of a normal shop. */
const RECOVERED_MAX = 10_000

/** How many of them this process starts at once; the sweep starts the others. */
const ANNOUNCED_MAX = 100

/** The answer has the new secret; the previous one also signs for the requested time. */
export function rotateEndpointSecret(deps: AppDeps): ApiMiddleware {
  const rotate = async (ctx: ApiContext, em: EntityManager) => {
    const row = await lockEndpointIn(ctx, em)
    const { previousExpiresIn } = readRotation(bodyOf(ctx))
    const secret = await rotateSecrets(deps, em, row, previousExpiresIn)
    em.assign(row, { updatedAt: deps.clock.now() })
    await recordCallersAct(ctx, em, 'webhook-endpoint.secret-rotated', {
      ...endpointFacts(row),
      previous_expires_in: previousExpiresIn,
    })
    return { success: true, webhook_endpoint: presentWebhookEndpoint(row, await findPublicKey(em, row), secret) }
  }
  return mutation(deps, rotate, neverCompressed, keptSecret(deps.vault))
}

/** Sends a test event to this endpoint only. */
export async function testEndpoint({ ctx, em, changes }: Change) {
  const row = await lockEnabledEndpointIn(ctx, em)
  refuseFields(bodyOf(ctx))
  const name = 'webhook-endpoint.test'
  const data = presentWebhookEndpointEventData(name, row, await findPublicKey(em, row))
  const targets = { kind: 'endpoint', endpointId: row.id } as const
  const id = await fireProjectEvent(em, changes, { scope: scopeOf(ctx), name, data, targets })
  const event = (await findObject(em, scopeOf(ctx), EventEntity, { id })) as EventRow
  await recordCallersAct(ctx, em, 'webhook-endpoint.tested', { ...endpointFacts(row), event_id: id })
  return { event: presentEvent(event) }
}

/** Sends the endpoint the missed events of a time span: the oldest at once, the others by the sweep. */
export async function recoverEndpoint({ deps, ctx, em, changes }: Change) {
  const row = await lockEnabledEndpointIn(ctx, em)
  const now = deps.clock.now()
  const time = readRecovery(bodyOf(ctx), now)
  const { events, hasMore } = await recoverEvents(em, row, { ...time, limit: RECOVERED_MAX, now })
  for (const event of events.slice(0, ANNOUNCED_MAX)) changes.fired(event)
  const { since, until } = time
  await recordCallersAct(ctx, em, 'webhook-endpoint.recovered', {
    ...endpointFacts(row),
    since,
    until,
    count: events.length,
  })
  return { count: events.length, has_more: hasMore }
}

async function lockEnabledEndpointIn(ctx: ApiContext, em: EntityManager): Promise<WebhookEndpointRow> {
  const row = await lockEndpointIn(ctx, em)
  if (row.enabled) return row
  throw invalidState('The webhook endpoint is disabled, and nothing new is sent to it; enable it first.')
}
