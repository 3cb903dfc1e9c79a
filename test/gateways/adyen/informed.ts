import type { Outcome } from '../../../domain/operation.ts'
import type { Gateway } from '../../../src/gateways/gateway.ts'
import type { AdyenStandIn } from '../../../stand-ins/adyen/adyen.ts'
import type { startReceiver } from '../receiver.ts'

/**
 * The adapter together with what it is told: a step that Adyen has only noted ends with its notification, and that is what a
 * look-up finds, too, since Adyen itself has none.
 */
export function informed(
  gateway: Gateway,
  standIn: AdyenStandIn,
  receiver: Awaited<ReturnType<typeof startReceiver>>,
): Gateway {
  const notified = async (reference: string, outcome: Outcome): Promise<Outcome> => {
    if (outcome.kind !== 'pending') return outcome
    await standIn.send(receiver.url, standIn.outbox.splice(0))
    return receiver.outcomeOf(reference) ?? outcome
  }
  return {
    ...gateway,
    authorize: async (request, signal) => notified(request.reference, await gateway.authorize(request, signal)),
    capture: async (request, signal) => notified(request.reference, await gateway.capture(request, signal)),
    increment: async (request, signal) => notified(request.reference, await gateway.increment(request, signal)),
    void: async (request, signal) => notified(request.reference, await gateway.void(request, signal)),
    refund: async (request, signal) => notified(request.reference, await gateway.refund(request, signal)),
    async lookUp(request, signal) {
      if (standIn.outbox.length > 0) await standIn.send(receiver.url, standIn.outbox.splice(0))
      const outcome = receiver.outcomeOf(request.reference)
      return outcome === null ? gateway.lookUp(request, signal) : { kind: 'found', outcome }
    },
  }
}
