import type { Outcome } from '../../domain/operation.ts'
import type { Gateway, GatewayAccess } from './gateway.ts'

type Ask<Request> = (request: Request, signal: AbortSignal) => Promise<Outcome>

/** The payment calls of a gateway, each of which returns an outcome. */
export type PaymentCall = 'authorize' | 'continueAuthorization' | 'capture' | 'increment' | 'void' | 'refund'

/** The same gateway with each of its payment calls replaced by `change(call, its name)`. */
export function changeCalls(
  gateway: Gateway,
  change: <Request extends GatewayAccess>(ask: Ask<Request>, call: PaymentCall) => Ask<Request>,
): Gateway {
  return {
    ...gateway,
    authorize: change(gateway.authorize, 'authorize'),
    ...(gateway.continueAuthorization && {
      continueAuthorization: change(gateway.continueAuthorization, 'continueAuthorization'),
    }),
    capture: change(gateway.capture, 'capture'),
    increment: change(gateway.increment, 'increment'),
    void: change(gateway.void, 'void'),
    refund: change(gateway.refund, 'refund'),
  }
}

/** The same gateway with each of its payment calls made through `around`, which returns the outcome. */
export function aroundCalls(gateway: Gateway, around: (call: () => Promise<Outcome>) => Promise<Outcome>): Gateway {
  return changeCalls(gateway, (ask) => (request, signal) => around(() => ask(request, signal)))
}
