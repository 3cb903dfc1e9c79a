/** The schemes of a card: its own, and a national or partner scheme, if any. */
export interface CardSchemes {
  scheme: string
  coScheme: string | null
}

/**
 * The scheme of a payment: the first preference that the card has and the gateway takes. The request's preference comes
 * first, then the customer's, then the default of the gateway configuration. Other preferences are skipped, because the API
 * promises them only "if available".
 *
 * @param taken the schemes that the gateway takes, in lower case; null for all
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
