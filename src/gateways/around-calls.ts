import type { Outcome } from '../../domain/operation.ts'
import type { Gateway } from './gateway.ts'

/** The same gateway, each of whose calls about money is made by `around`, which gives what it gets. */
export function aroundCalls(gateway: Gateway, around: (call: () => Promise<Outcome>) => Promise<Outcome>): Gateway {
  const call =
    <Request>(ask: (request: Request, signal: AbortSignal) => Promise<Outcome>) =>
    (request: Request, signal: AbortSignal) =>
      around(() => ask(request, signal))
  return {
    ...gateway,
    authorize: call(gateway.authorize),
    capture: call(gateway.capture),
    increment: call(gateway.increment),
    void: call(gateway.void),
    refund: call(gateway.refund),
  }
}
