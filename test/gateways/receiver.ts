import { buffer } from 'node:stream/consumers'
import type { GatewayNotification } from '../../domain/gateway-notification.ts'
import type { Gateway, GatewayAccess } from '../../src/gateways/gateway.ts'
import { listen } from '../support/listen.ts'

/** Receives notifications as a service does: proven by the adapter, kept once by their id, answered the way Adyen wants. */
export async function startReceiver(gateway: Gateway, access: Pick<GatewayAccess, 'credentials' | 'settings'>) {
  const kept = new Map<string, GatewayNotification>()
  const refused: string[] = []
  const { url, close } = await listen(async (request, response) => {
    const headers = request.headers as Record<string, string | undefined>
    const reading = gateway.readNotification?.(await buffer(request), headers, access)
    if (reading?.kind !== 'accepted') {
      refused.push(reading?.reason ?? 'no notifications')
      return void response.writeHead(401).end()
    }
    for (const notification of reading.notifications)
      if (!kept.has(notification.gatewayNotificationId)) kept.set(notification.gatewayNotificationId, notification)
    response.writeHead(200, { 'content-type': 'text/plain' }).end('[accepted]')
  })
  return {
    url: `${url}/gateways/${gateway.name}/notifications/gway_conf_1`,
    kept,
    /** Why notifications were refused. */
    refused,
    /** How the call with this reference ended, as far as it has been told. */
    outcomeOf(reference: string) {
      const outcomes = [...kept.values()].filter((one) => one.kind === 'outcome' && one.reference === reference)
      const last = outcomes.at(-1)
      return last?.kind === 'outcome' ? last.outcome : null
    },
    close,
  }
}
