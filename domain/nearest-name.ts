/** The edit distance of two words: insertions, deletions, changes, and swaps of neighbouring letters. */
function distance(one: string, other: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1]
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const changed = (last[j - 1] ?? 0) + (isSame ? 0 : 1)
      const swapped = isSwap ? (beforeLast[j - 2] ?? 0) + 1 : changed
      row[j] = Math.min(changed, swapped, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1)
    }
    beforeLast = last
    last = row
  }
  return last[other.length] ?? 0
}

/** Names are compared up to this length, because the work grows with its square. All field names are shorter. */
const COMPARED_LENGTH_MAX = 60

/** Words that differ in more than this share of their letters are different words, not typing errors. */
const APART_MAX = 1 / 3

/**
 * The most similar known name, if one is similar enough. Case, dashes and underscores are ignored.
 *
 * @param measure replaced by tests, which count the comparisons.
 */
export function nearestName(name: string, known: readonly string[], measure = distance): string | undefined {
  const plain = (text: string) => text.slice(0, COMPARED_LENGTH_MAX).toLowerCase().replaceAll(/[-_]/g, '')
  const wanted = plain(name)
  let nearest: string | undefined
  let nearestApart = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    const word = plain(candidate)
    const apartMax = Math.max(wanted.length, word.length) * APART_MAX
    // The difference in length is a lower bound of the distance.
    const leastApart = Math.abs(wanted.length - word.length)
    if (leastApart > apartMax || leastApart >= nearestApart) continue
    const apart = measure(wanted, word)
    if (apart > apartMax || apart >= nearestApart) continue
    nearest = candidate
    nearestApart = apart
  }
  return nearest
}

/** How many names of one request get suggestions. More would not be read, and each takes time. */
export const SUGGESTIONS_MAX = 5

/** `nearestName` for the names of one request. It returns nothing after `SUGGESTIONS_MAX` calls. */
export function createSuggestions(find: typeof nearestName = nearestName): typeof nearestName {
  let asked = 0
  return (name, known) => {
    asked += 1
    return asked <= SUGGESTIONS_MAX ? find(name, known) : undefined
  }
}
