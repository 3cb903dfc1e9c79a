import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { GatewayNotification } from '../../../domain/gateway-notification.ts'
import type { Gateway } from '../../../src/gateways/gateway.ts'
import { ACCESS } from './fixture.ts'

/** Receives notifications as a service does: proven by the adapter, kept once by their id, answered the way Adyen wants. */
export async function startReceiver(gateway: Gateway) {
  const kept = new Map<string, GatewayNotification>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const reading = gateway.readNotification?.(Buffer.concat(chunks), {}, ACCESS)
    if (reading?.kind !== 'accepted') return void response.writeHead(401).end()
    for (const notification of reading.notifications)
      if (!kept.has(notification.gatewayNotificationId)) kept.set(notification.gatewayNotificationId, notification)
    response.writeHead(200, { 'content-type': 'text/plain' }).end('[accepted]')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/gateways/adyen/notifications/gway_conf_1`,
    kept,
    /** How the call with this reference ended, as far as it has been told. */
    outcomeOf(reference: string) {
      const outcomes = [...kept.values()].filter((one) => one.kind === 'outcome' && one.reference === reference)
      const last = outcomes.at(-1)
      return last?.kind === 'outcome' ? last.outcome : null
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
