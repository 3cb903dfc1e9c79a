/** The capabilities of a gateway, which limit what a merchant may request. */
export interface Capabilities {
  /** Authorize without capturing. A gateway that cannot only does sales. */
  authorize: boolean
  partialCapture: boolean
  multipleCaptures: boolean
  partialVoid: boolean
  incrementalAuthorization: boolean
  refund: boolean
  partialRefund: boolean
  /** Has steps for the native library of an app; without them the app opens the pages of the bank in a browser session. */
  nativeThreeDs: boolean
  /** Accepted currencies (upper case) and schemes (lower case); null accepts all. */
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

/** A gateway's capabilities as restricted by an account. An account never adds any. */
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

/** The entries that both lists allow. A list that is null or absent allows everything. */
function common(ours: readonly string[] | null, theirs: readonly string[] | null | undefined) {
  if (theirs == null) return ours
  return ours === null ? theirs : ours.filter((entry) => theirs.includes(entry))
}
