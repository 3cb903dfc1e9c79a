import type { WebhookEndpointRow } from '../../persistence/entities/webhook-endpoint.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { lockEndpoint } from '../../persistence/queries/webhooks/endpoints.ts'
import { ApiError } from '../api-error.ts'
import { type ApiContext, scopeOf } from '../context.ts'
import { identifierIn } from '../schemas/fields/identifier.ts'

/**
 * The endpoint in the address, held until the end of the database transaction.
 *
 * @throws ApiError 404 where the caller has no such endpoint.
 */
export async function lockEndpointIn(ctx: ApiContext, em: EntityManager): Promise<WebhookEndpointRow> {
  const id = identifierIn(ctx, 'webhookEndpoint', 'resource.webhook-endpoint.not-found')
  const row = await lockEndpoint(em, scopeOf(ctx), id)
  if (row === null) throw new ApiError('resource.webhook-endpoint.not-found')
  return row
}

/**
 * The same of one that is sent to.
 *
 * @throws ApiError also where it is disabled.
 */
export async function lockEnabledEndpointIn(ctx: ApiContext, em: EntityManager): Promise<WebhookEndpointRow> {
  const row = await lockEndpointIn(ctx, em)
  if (row.enabled) return row
  const message = 'The webhook endpoint is disabled, and nothing new is sent to it; enable it first.'
  throw new ApiError('request.validation.invalid-state', { message })
}
