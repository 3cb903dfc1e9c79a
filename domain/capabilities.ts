/** What a gateway can do for a payment; it decides what a merchant may ask for. */
export interface Capabilities {
  /** Reserve money without taking it. A gateway that cannot only does sales. */
  authorize: boolean
  partialCapture: boolean
  multipleCaptures: boolean
  partialVoid: boolean
  incrementalAuthorization: boolean
  refund: boolean
  partialRefund: boolean
  /** Authenticates the customer itself, and hands out what the customer has to do. */
  nativeThreeDs: boolean
  /** Currencies, upper case, and schemes, lower case, that it takes; null takes all. */
  currencies: readonly string[] | null
  schemes: readonly string[] | null
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
  nativeThreeDs: true,
  currencies: null,
  schemes: null,
}

type Ability = { [Name in keyof Capabilities]: Capabilities[Name] extends boolean ? Name : never }[keyof Capabilities]

/** What is left of a gateway's capabilities where an account allows less; an account never adds any. */
export function restrictCapabilities(gateway: Capabilities, account: Partial<Capabilities>): Capabilities {
  const { currencies, schemes, ...abilities } = gateway
  const names = Object.keys(abilities) as Ability[]
  return {
    ...(Object.fromEntries(names.map((name) => [name, abilities[name] && account[name] !== false])) as Record<
      Ability,
      boolean
    >),
    currencies: common(currencies, account.currencies),
    schemes: common(schemes, account.schemes),
  }
}

/** What both lists allow; a list that is null or absent allows everything. */
function common(ours: readonly string[] | null, theirs: readonly string[] | null | undefined) {
  if (theirs == null) return ours
  return ours === null ? theirs : ours.filter((entry) => theirs.includes(entry))
}
