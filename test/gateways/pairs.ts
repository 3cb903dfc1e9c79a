/**
 * The pairs of a text that has for each of our words those of a gateway: `card.keep-card: 04, 07; card.lost: 41` is `04` and
 * `card.keep-card`, `07` and `card.keep-card`, `41` and `card.lost`.
 */
export function pairsOf(text: string): [theirs: string, ours: string][] {
  return text
    .trim()
    .split(/;\s+/)
    .flatMap((entry) => {
      const [ours = '', theirs = ''] = entry.split(': ')
      return theirs.split(', ').map((one): [string, string] => [one, ours])
    })
}
