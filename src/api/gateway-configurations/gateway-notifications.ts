import { environmentOf } from '../../../domain/environment.ts'
import { isIdentifier } from '../../../domain/identifiers.ts'
import { NOTIFICATION_READERS, readNotifications } from '../../gateways/notification-reader.ts'
import { ApiError } from '../../http/api-error.ts'
import { networksOf } from '../../http/client-address.ts'
import type { ApiContext, ApiMiddleware } from '../../http/context.ts'
import type { AppDeps } from '../../http/dependencies.ts'
import { refuseBeyond } from '../../http/middleware/limit-address.ts'
import { readRawBody } from '../../http/raw-body.ts'
import type { GatewayConfigurationRow } from '../../persistence/entities/gateway-configuration.ts'
import { inTurn } from '../../persistence/in-turn.ts'
import { storeNotifications } from '../../persistence/queries/payments/gateway-notifications.ts'
import type { StartablePayment } from '../../persistence/queries/payments/startable-payment.ts'
import { findAccount } from '../../persistence/queries/projects/gateway-configurations.ts'
import { recordNotificationRefusal } from '../../persistence/queries/projects/notification-refusals.ts'
import { countRefusedNotification } from '../../rate-limit/buckets.ts'

/** Stripe's largest events have a few ten thousand bytes; Adyen sends one item or a handful. */
export const NOTIFICATION_BYTES_MAX = 262_144

/** The answer that Adyen requires; other gateways ignore it. Source: Adyen, "Accept webhooks". */
const ACCEPTED = '[accepted]'

type Deps = Pick<AppDeps, 'orm' | 'resyncer' | 'notificationCredentials' | 'clock' | 'logger'>

/**
 * Receives a gateway's notifications, authenticated by their signature. A notification is stored once, answered, and then
 * applied to its payment. Gateways repeat a notification for days until it gets 200, so every verified one gets it, even
 * one about no payment here.
 */
export function receiveNotification(deps: Deps): ApiMiddleware {
  const { orm, notificationCredentials, clock, logger } = deps
  return async (ctx) => {
    const configuration = await configurationIn(deps, ctx)
    const rawBody = await readRawBody(ctx.req, NOTIFICATION_BYTES_MAX)
    const access = { credentials: notificationCredentials(configuration), settings: configuration.settings }
    const reading = readNotifications(configuration.gatewayName, rawBody, singleHeadersOf(ctx), access)
    if (reading.kind === 'refused') {
      logger.warn(
        { request_id: ctx.state.requestId, gateway_configuration_id: configuration.id, reason: reading.reason },
        'A notification was refused',
      )
      await countRefusal(deps, ctx)
      await recordNotificationRefusal(orm.em.fork(), configuration.id, reading.reason, clock.now())
      throw new ApiError('request.notification.unproven')
    }
    const { id: gatewayConfigurationId, projectId, sandbox } = configuration
    const account = { gatewayConfigurationId, projectId, sandbox }
    const [first] = reading.notifications
    // The row of a notification refers to its invoice, whose row may be locked.
    const subject = first?.reference ?? first?.gatewayAuthorizationId ?? gatewayConfigurationId
    const { payments, dropped } = await inTurn(orm.em, subject, () =>
      storeNotifications(orm.em.fork(), account, reading.notifications, clock.now()),
    )
    if (dropped > 0)
      logger.info(
        { gateway_configuration_id: gatewayConfigurationId, dropped },
        'A gateway sent notifications that are not ours',
      )
    ctx.type = 'text/plain'
    ctx.body = ACCEPTED
    for (const payment of payments) void resync(deps, payment, `notification-${ctx.state.requestId}`)
  }
}

/** Has the payment apply its new notifications. If this fails, the sweep does it: they are stored. */
async function resync(
  { resyncer, logger }: Pick<Deps, 'resyncer' | 'logger'>,
  { sandbox, ...payment }: StartablePayment,
  reason: string,
): Promise<void> {
  try {
    await resyncer.resync({ ...payment, environment: environmentOf(sandbox) }, reason)
  } catch (error) {
    logger.warn(
      { err: error, invoice_id: payment.invoiceId },
      'A payment could not be asked to apply a notification; the sweep will ask it',
    )
  }
}

/**
 * The configuration in the address, of any project. A disabled or deleted one still receives notifications, because its
 * earlier payments may still change.
 *
 * @throws ApiError 404 where there is none, or it belongs to another gateway.
 */
async function configurationIn(deps: Deps, ctx: ApiContext): Promise<GatewayConfigurationRow> {
  const { name = '', configuration_id: id = '' } = ctx.params
  const found = isIdentifier('gatewayConfiguration', id) ? await findAccount(deps.orm.em.fork(), id) : null
  if (found !== null && found.gatewayName === name && NOTIFICATION_READERS.has(name)) return found
  await countRefusal(deps, ctx)
  throw new ApiError('resource.gateway-configuration.not-found')
}

/**
 * Counts refused notifications by address. Verified ones are not counted: a gateway sends those of all merchants from the
 * same few addresses.
 *
 * @throws ApiError 429 after too many.
 */
async function countRefusal({ orm }: Pick<Deps, 'orm'>, ctx: ApiContext): Promise<void> {
  refuseBeyond(ctx, await countRefusedNotification(orm.em.fork(), networksOf(ctx.ip)))
}

/** Headers by lower-case names. Repeated ones are left out, because they are ambiguous as a proof. */
function singleHeadersOf(ctx: ApiContext): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(ctx.req.headersDistinct).map(([name, values]) => [
      name,
      values?.length === 1 ? values[0] : undefined,
    ]),
  )
}
