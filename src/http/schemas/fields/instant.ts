import type { Fields } from '../../middleware/body.ts'
import { instant } from './fields.ts'
import type { Problem } from './input.ts'

/** What is wrong with an instant that is well written but too early or too late. */
export function instantProblems(
  fields: Fields,
  name: string,
  { after, until }: { after: Date; until?: Date },
): Problem[] {
  const { data: at } = instant.safeParse(fields[name])
  if (at === undefined) return []
  const wrong = (message: string): Problem[] => [{ name, message, code: 'request.validation.invalid-date' }]
  if (at <= after) return wrong('lies in the past')
  if (until !== undefined && at > until) return wrong('lies later than an authorization lasts, which is 7 days')
  return []
}
