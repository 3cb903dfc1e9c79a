import { findRelated } from '../../persistence/queries/lists/list-related.ts'
import { type Expansion, wrongExpansion } from './paths.ts'
import type { Presented, Reader, Relation } from './resource.ts'
import { type ResourceName, resourceOf } from './resources.ts'

/**
 * How many related objects an answer may show, counted each time. A page of 100 with its usual relations has a few
 * thousand.
 */
const RELATED_MAX = 10_000

/** A row, and how often the answer will show it. */
interface Shown {
  row: object
  times: number
}

interface Budget {
  left: number
}

/**
 * Presents rows of a resource with the requested relations. Each relation is read once for all rows, so the number of
 * statements depends on the expansion only.
 *
 * @throws ApiError request.expand.invalid beyond the limit of an answer.
 */
export async function represent(
  reader: Reader,
  resource: ResourceName,
  rows: readonly object[],
  expansion: Expansion,
): Promise<Presented[]> {
  const shown = rows.map((row) => ({ row, times: 1 }))
  return presentAll(reader, resource, shown, expansion, { left: RELATED_MAX })
}

async function presentAll(
  reader: Reader,
  resource: ResourceName,
  shown: readonly Shown[],
  expansion: Expansion,
  budget: Budget,
): Promise<Presented[]> {
  const { present, relations } = resourceOf(resource)
  const rows = shown.map(({ row }) => row)
  const objects = await present(reader, rows)
  for (const [name, inside] of expansion) {
    const relation = relations[name]
    if (relation === undefined) throw new Error(`${resource} has no relation ${name}.`)
    const related = await presentRelated(reader, relation, shown, inside, budget)
    for (const [index, { row }] of shown.entries()) {
      const found = related.get(propertyOf(row, relation.from)) ?? []
      Object.assign(objects[index] ?? {}, { [name]: relation.isMany ? found : (found[0] ?? null) })
    }
  }
  return objects
}

async function presentRelated(
  reader: Reader,
  { to, from, key }: Relation<ResourceName>,
  shown: readonly Shown[],
  inside: Expansion,
  budget: Budget,
): Promise<Map<unknown, Presented[]>> {
  const { entity, order = ['createdAt', 'id'], beside } = resourceOf(to)
  const timesOf = new Map<string, number>()
  for (const { row, times } of shown) {
    const value = propertyOf(row, from)
    if (typeof value === 'string') timesOf.set(value, (timesOf.get(value) ?? 0) + times)
  }
  const asked = { entity, property: key, values: [...timesOf.keys()], order, limit: budget.left + 1 }
  const together = beside === undefined ? undefined : { sql: beside, kept: reader.beside }
  const rows = await findRelated(reader.em, reader.scope, asked, together)
  const related = rows.map((row) => ({ row, times: timesOf.get(String(propertyOf(row, key))) ?? 0 }))
  budget.left -= related.reduce((sum, { times }) => sum + times, 0)
  if (budget.left < 0)
    throw wrongExpansion(
      `would return more than ${RELATED_MAX} objects; use a smaller page, or list the related objects`,
    )
  const objects = await presentAll(reader, to, related, inside, budget)
  return Map.groupBy(objects, (_, index) => propertyOf(related[index]?.row ?? {}, key))
}

const propertyOf = (row: object, property: string): unknown => (row as Record<string, unknown>)[property]
