import { z } from 'zod'
import { PAGE } from '../../objects/answers.ts'
import { named } from '../../objects/object.ts'
import { LISTS } from '../../persistence/queries/lists/list-definitions.ts'
import { type Endpoint, type EndpointDefinition, endpoint, type Refusal } from '../endpoint.ts'
import type { ResourceName } from '../expansion/resources.ts'
import { LIST_PARAMETERS } from '../input/query.ts'
import { type ListSource, list, listBody } from './list.ts'

/** A list of objects by the common rules of lists. */
interface ListEndpoint extends Pick<EndpointDefinition, 'id' | 'method' | 'tag' | 'summary' | 'logs'>, ListSource {
  /** The name of the object in the reference, such as `Customer`. */
  shows: string
  /** Beside what is said of every list. */
  notes?: string
  /** Whether clients may call it, and which parameters it takes beside those of every list. */
  access?: { isOpenToClients?: true; query?: readonly string[] }
  /** An object of the list. */
  example: () => object
}

/** @example listEndpoint('GET /cards', { id: 'listCards', list: 'cards', resource: 'card', shows: 'Card', … }) */
export function listEndpoint(
  place: `GET /${string}`,
  { id, method, tag, summary, logs, shows, notes, access, example, ...source }: ListEndpoint,
): Endpoint {
  const { list: plural, resource, single } = source
  const { query = [], ...open } = access ?? {}
  return endpoint(place, {
    id,
    method,
    tag,
    summary,
    ...(logs !== undefined && { logs }),
    description: ['The newest first, unless `order` says otherwise.', ...(notes === undefined ? [] : [notes])].join(
      ' ',
    ),
    access: { permission: 'read', query: [...LIST_PARAMETERS, ...query], ...open },
    ...pageOf({ plural, resource, shows, example, ...(single !== undefined && { single }) }),
    filters: LISTS[plural].filters,
    run: (deps) => list(deps, source),
  })
}

const WRONG_QUERY: readonly Refusal[] = [
  ['request.pagination.invalid', 'there is no such page'],
  ['request.filter.invalid', 'there is no such filter, or its value cannot be one'],
]

interface PageOf extends Pick<ListEndpoint, 'shows' | 'example' | 'single'> {
  /** The name of the list in the answer. */
  plural: string
  resource: ResourceName
}

/** What every list answers, expands and refuses. */
export function pageOf({
  plural,
  resource,
  shows,
  single,
  example,
}: PageOf): Pick<EndpointDefinition, 'says' | 'answers' | 'expands' | 'refuses' | 'examples'> {
  const object = named(shows)
  const alone = single === undefined ? {} : { [single]: object.describe('The one object of the list.').optional() }
  return {
    says: 'A page of the list.',
    answers: {
      200: z.strictObject({ ...PAGE, [plural]: z.array(object).describe('The objects of this page.'), ...alone }),
    },
    expands: resource,
    refuses: WRONG_QUERY,
    examples: () => {
      const shown = example() as Record<string, unknown>
      const page = { rows: [shown], hasMore: false, totalCount: 1, isTotalCapped: false }
      const body = listBody(plural, { limit: 10, order: 'desc', cursor: null }, page, [shown])
      return { 200: { example: { ...body, ...(single === undefined ? {} : { [single]: shown }) } } }
    },
  }
}
