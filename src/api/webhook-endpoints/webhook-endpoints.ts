import { makeIdentifier } from '../../../domain/identifiers.ts'
import { recordCallersAct } from '../../http/acts.ts'
import { invalidState } from '../../http/api-error.ts'
import { type ApiContext, type ApiMiddleware, callerOf, scopeOf } from '../../http/context.ts'
import type { AppDeps } from '../../http/dependencies.ts'
import { mutation } from '../../http/idempotency.ts'
import { foundIn } from '../../http/input/identifier.ts'
import { targetRuleOf } from '../../http/input/webhook-target.ts'
import { bodyOf } from '../../http/middleware/body.ts'
import { neverCompressed } from '../../http/middleware/compression.ts'
import { presentWebhookEndpoint } from '../../objects/webhook-endpoint.ts'
import { WebhookEndpointEntity, type WebhookEndpointRow } from '../../persistence/entities/webhook-endpoint.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { countAlone, lockKept } from '../../persistence/queries/kept-rows.ts'
import { deleteEndpoint as removeEndpoint } from '../../persistence/queries/webhooks/endpoints.ts'
import { findPublicKey } from '../../persistence/queries/webhooks/webhook-secrets.ts'
import type { Change } from '../change.ts'
import { addSecret, addSigningKeys } from './endpoint-secrets.ts'
import { keptSecret } from './kept-secret.ts'
import { readEndpointChanges, readNewEndpoint } from './webhook-endpoint-input.ts'

/** Each event is written for each endpoint while its payment is locked; Stripe has the same limit. */
const ENDPOINTS_MAX = 16

/** Only this answer, and that of a rotation, has the secret. */
export function createEndpoint(deps: AppDeps): ApiMiddleware {
  const create = async (ctx: ApiContext, em: EntityManager) => {
    const given = readNewEndpoint(bodyOf(ctx), callerOf(ctx), targetRuleOf(deps))
    if ((await countAlone(em, WebhookEndpointEntity, scopeOf(ctx))) >= ENDPOINTS_MAX)
      throw invalidState(
        `A project has ${ENDPOINTS_MAX} webhook endpoints at most in an environment; delete one first.`,
      )
    const now = deps.clock.now()
    const row: WebhookEndpointRow = {
      ...given,
      ...UNTRIED,
      ...stateOf(given.enabled, now),
      ...scopeOf(ctx),
      id: makeIdentifier('webhookEndpoint', deps.randomBytes),
      deletedAt: null,
      createdAt: now,
      updatedAt: now,
    }
    await em.insert(WebhookEndpointEntity, row)
    const secret = await addSecret(deps, em, row)
    if (row.signWithEd25519) await addSigningKeys(deps, em, row)
    await recordCallersAct(ctx, em, 'webhook-endpoint.created', endpointFacts(row))
    return { success: true, webhook_endpoint: presentWebhookEndpoint(row, await findPublicKey(em, row), secret) }
  }
  return mutation(deps, create, neverCompressed, keptSecret(deps.vault))
}

/** An endpoint that is enabled again, or gets another URL, starts anew without its earlier failures. */
export async function updateEndpoint({ deps, ctx, em }: Change) {
  const row = await lockEndpointIn(ctx, em)
  const changes = readEndpointChanges(bodyOf(ctx), callerOf(ctx), targetRuleOf(deps))
  const { enabled, ...given } = changes
  const now = deps.clock.now()
  const beginsAnew = (enabled === true && !row.enabled) || (given.url !== undefined && given.url !== row.url)
  em.assign(row, {
    ...given,
    ...(enabled === undefined ? {} : stateOf(enabled, row.disabledAt ?? now)),
    ...(beginsAnew ? UNTRIED : {}),
    updatedAt: now,
  })
  if (row.signWithEd25519) await addSigningKeys(deps, em, row)
  await recordCallersAct(ctx, em, 'webhook-endpoint.changed', {
    ...endpointFacts(row),
    changed: Object.keys(changes),
  })
  return { webhook_endpoint: presentWebhookEndpoint(row, await findPublicKey(em, row)) }
}

/** Its waiting deliveries fail. */
export async function deleteEndpoint({ deps, ctx, em }: Change) {
  const row = await lockEndpointIn(ctx, em)
  await removeEndpoint(em, row, deps.clock.now())
  await recordCallersAct(ctx, em, 'webhook-endpoint.deleted', endpointFacts(row))
  return {}
}

/** The health of an endpoint without attempts. */
const UNTRIED = { failingSince: null, lastFailureAt: null, goneCount: 0 } as const

/** The state that the merchant sets, whatever it was before. */
function stateOf(enabled: boolean, disabledAt: Date) {
  return enabled
    ? ({ enabled, disabledReason: null, disabledAt: null } as const)
    : ({ enabled, disabledReason: 'merchant', disabledAt } as const)
}

/** Locks the endpoint in the address until the database transaction ends. */
export function lockEndpointIn(ctx: ApiContext, em: EntityManager): Promise<WebhookEndpointRow> {
  return foundIn(ctx, 'webhookEndpoint', (scope, id) => lockKept(em, WebhookEndpointEntity, scope, id))
}

/** The facts of an endpoint for the audit log; of its URL only the origin: paths and queries are often secret. */
export function endpointFacts({ id, url, enabled, eventsWhitelist, signWithEd25519 }: WebhookEndpointRow) {
  return {
    webhook_endpoint_id: id,
    origin: new URL(url).origin,
    enabled,
    events_whitelist: eventsWhitelist,
    sign_with_ed25519: signWithEd25519,
  }
}
