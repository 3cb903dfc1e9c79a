/** The schemes that one card carries: its own, and the national or partner scheme beside it. */
export interface CardSchemes {
  scheme: string
  coScheme: string | null
}

/**
 * The scheme that a payment runs on. The first wish that the card can fulfil wins, in the order of the
 * specification: the authorization request, the customer's card, the default of the gateway configuration.
 * A wish for a scheme that the card does not carry is passed over, because it is granted only "if available".
 */
export function chooseScheme(card: CardSchemes, wishes: readonly (string | null | undefined)[]): string {
  const carried = [card.scheme, card.coScheme]
  const granted = wishes.map((wish) => wish?.toLowerCase()).find((wish) => wish !== undefined && carried.includes(wish))
  return granted ?? card.scheme
}
