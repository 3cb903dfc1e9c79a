/** The schemes that one card carries: its own, and the national or partner scheme beside it. */
export interface CardSchemes {
  scheme: string
  coScheme: string | null
}

/**
 * The scheme of a payment: the first preference that the card can fulfil. The authorization request comes first, then the
 * customer's card, then the default of the gateway configuration.
 * A wish for a scheme that the card does not carry, or the gateway does not take, is passed over, because it is granted
 * only "if available".
 *
 * @param taken the schemes that the gateway takes, in small letters; null for all
 */
export function chooseScheme(
  card: CardSchemes,
  wishes: readonly (string | null | undefined)[],
  taken: readonly string[] | null = null,
): string {
  const carried = [card.scheme, card.coScheme].filter((scheme) => scheme !== null)
  const possible = taken === null ? carried : carried.filter((scheme) => taken.includes(scheme))
  const granted = wishes
    .map((wish) => wish?.toLowerCase())
    .find((wish) => wish !== undefined && possible.includes(wish))
  return granted ?? possible[0] ?? card.scheme
}
