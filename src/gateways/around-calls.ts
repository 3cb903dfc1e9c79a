import type { Outcome } from '../../domain/operation.ts'
import type { Gateway, GatewayAccess } from './gateway.ts'

type Ask<Request> = (request: Request, signal: AbortSignal) => Promise<Outcome>

/** The same gateway with each of its payment calls replaced by `change(call)`. */
export function changeCalls(
  gateway: Gateway,
  change: <Request extends GatewayAccess>(ask: Ask<Request>) => Ask<Request>,
): Gateway {
  return {
    ...gateway,
    authorize: change(gateway.authorize),
    ...(gateway.continueAuthorization && { continueAuthorization: change(gateway.continueAuthorization) }),
    capture: change(gateway.capture),
    increment: change(gateway.increment),
    void: change(gateway.void),
    refund: change(gateway.refund),
  }
}

/** The same gateway with each of its payment calls made through `around`, which returns the outcome. */
export function aroundCalls(gateway: Gateway, around: (call: () => Promise<Outcome>) => Promise<Outcome>): Gateway {
  return changeCalls(gateway, (ask) => (request, signal) => around(() => ask(request, signal)))
}
