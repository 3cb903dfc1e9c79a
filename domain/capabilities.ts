/** What a gateway can do for a payment; it decides what a merchant may ask for. */
export interface Capabilities {
  /** Reserve money without taking it. A gateway that cannot only does sales. */
  authorize: boolean
  partialCapture: boolean
  /** Capture one authorization in several parts. */
  multipleCaptures: boolean
  partialVoid: boolean
  incrementalAuthorization: boolean
  refund: boolean
  partialRefund: boolean
}

/** A gateway that can do everything. */
export const ALL_CAPABILITIES: Capabilities = {
  authorize: true,
  partialCapture: true,
  multipleCaptures: true,
  partialVoid: true,
  incrementalAuthorization: true,
  refund: true,
  partialRefund: true,
}

/** What is left of a gateway's capabilities where an account allows less; an account never adds any. */
export function restrictCapabilities(gateway: Capabilities, account: Partial<Capabilities>): Capabilities {
  const names = Object.keys(gateway) as (keyof Capabilities)[]
  return Object.fromEntries(
    names.map((name) => [name, gateway[name] && account[name] !== false]),
  ) as unknown as Capabilities
}
