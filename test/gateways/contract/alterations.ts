/**
 * An answer with one thing in it wrong, for every thing in it: it is missing, is of another type, or is a number that no
 * amount has.
 *
 * @param depth how many objects within each other are looked into; 1 for the answer's own fields
 */
export function alterationsOf(answer: unknown, depth: number): unknown[] {
  if (typeof answer !== 'object' || answer === null || depth === 0) return []
  if (Array.isArray(answer)) return alterationsOf(answer[0], depth - 1).map((altered) => [altered, ...answer.slice(1)])
  return Object.entries(answer).flatMap(([name, value]) => {
    const { [name]: _, ...others } = answer as Record<string, unknown>
    const replaced = [...othersThan(value), ...alterationsOf(value, depth - 1)]
    return [others, ...replaced.map((other) => ({ ...answer, [name]: other }))]
  })
}

function othersThan(value: unknown): unknown[] {
  switch (typeof value) {
    case 'number':
      return [-value - 0.5, String(value)]
    case 'string':
      return ['', 7]
    case 'boolean':
      return ['no']
    default:
      return ['text']
  }
}
