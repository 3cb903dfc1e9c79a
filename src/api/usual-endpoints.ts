import { type EndpointBody, type EndpointDefinition, endpoint, type Refusal } from '../http/endpoint.ts'
import type { AddressedName } from '../http/expansion/resources.ts'
import { LIST_PARAMETERS } from '../http/input/query.ts'
import { type ListSource, list } from '../http/lists/list.ts'
import { LISTS, type ListName } from '../http/lists/list-definitions.ts'
import { type Below, retrieve } from '../http/lists/retrieve.ts'
import { pageOf, shows } from './answers.ts'
import type { ObjectName } from './examples/index.ts'
import { camel, oneOf, pascal, words } from './names.ts'

/**
 * Endpoints that are named as the rule is, and answer and take what is usual; what one says for itself comes first. The names
 * of `customer`: `createCustomer` and `customers.create`, `Create a customer`, `CustomerInput` and `CustomerChanges`.
 */

type Names = 'id' | 'method' | 'summary'
type Optional<Whole, Usual extends keyof Whole> = Omit<Whole, Usual> & Partial<Pick<Whole, Usual>>

/** What an endpoint says; of the body the fields, and what is not usual. */
type Creation = Optional<Omit<EndpointDefinition, 'body'>, Names | 'answers'> & { body: Optional<EndpointBody, 'name'> }
type Change = Optional<Omit<EndpointDefinition, 'body'>, Names | 'answers'> & {
  body: Optional<EndpointBody, 'name' | 'description'>
}

const VERBS = { create: 'Create', retrieve: 'Retrieve', update: 'Change', delete: 'Delete' }

function namesOf(verb: keyof typeof VERBS, name: ObjectName): Pick<EndpointDefinition, Names> {
  return { id: `${verb}${pascal(name)}`, method: `${camel(name)}s.${verb}`, summary: `${VERBS[verb]} ${oneOf(name)}` }
}

/** Creates an object, and answers it. */
export function creates(place: `POST /${string}`, name: ObjectName, { body, ...more }: Creation) {
  const taken = { name: `${pascal(name)}Input`, about: [pascal(name)], ...body }
  return endpoint(place, { ...namesOf('create', name), answers: shows(name), body: taken, ...more })
}

/** Changes what is given of an object, and answers it. */
export function updates(place: `PUT /${string}`, name: ObjectName, { body, ...more }: Change) {
  const description = 'What is to be changed.'
  const taken = { name: `${pascal(name)}Changes`, description, about: [pascal(name)], clears: true as const, ...body }
  const answers = shows(name, `The changed ${words(name)}.`)
  return endpoint(place, { ...namesOf('update', name), answers, body: taken, ...more })
}

/** Shows an object by its id. `below`: where its address is that of another, and its own id follows. */
export function retrieves(
  place: `GET /${string}`,
  name: ObjectName & AddressedName,
  { below, ...more }: Partial<EndpointDefinition> & { below?: Below } = {},
) {
  return endpoint(place, {
    ...namesOf('retrieve', name),
    access: { permission: 'read' },
    answers: shows(name),
    run: (deps) => retrieve(deps, name, below),
    ...more,
  })
}

/** Deletes an object. */
export function deletes(place: `DELETE /${string}`, name: ObjectName, more: Optional<EndpointDefinition, Names>) {
  return endpoint(place, { ...namesOf('delete', name), ...more })
}

interface UsualList extends Partial<Pick<EndpointDefinition, Names | 'logs'>>, Omit<ListSource, 'list' | 'resource'> {
  /** Beside what is said of every list. */
  notes?: string
  /** Whether clients may call it, and which parameters it takes beside those of every list. */
  access?: { isOpenToClients?: true; query?: readonly string[] }
}

/** Those whose plural is the name of a list. */
type Listed = { [Name in ObjectName]: `${Name}s` extends ListName ? Name : never }[ObjectName]

export const WRONG_QUERY: readonly Refusal[] = [
  ['request.pagination.invalid', 'there is no such page'],
  ['request.filter.invalid', 'the filter is unknown, or its value has the wrong form'],
]

/** A list by the common rules of lists: of all, or `of` the object in the address, which the column `by` refers to. */
export function lists(
  place: `GET /${string}`,
  name: Listed,
  { id, method, summary, logs, notes, access, ...which }: UsualList = {},
) {
  const source: ListSource = {
    ...(which.of !== undefined && { by: `${which.of}_id` }),
    ...which,
    list: `${name}s`,
    resource: name,
  }
  const { of } = source
  const { query = [], ...open } = access ?? {}
  return endpoint(place, {
    id: id ?? `list${of === undefined ? '' : pascal(of)}${pascal(name)}s`,
    method: method ?? (of === undefined ? `${camel(name)}s.list` : `${camel(of)}s.list${pascal(name)}s`),
    summary: summary ?? `List ${words(name)}s${of === undefined ? '' : ` of ${oneOf(of)}`}`,
    description: ['The newest first, unless `order` says otherwise.', ...(notes === undefined ? [] : [notes])].join(
      ' ',
    ),
    ...(logs !== undefined && { logs }),
    access: { permission: 'read', query: [...LIST_PARAMETERS, ...query], ...open },
    answers: pageOf(name, source.single),
    filters: LISTS[source.list].filters,
    refuses: WRONG_QUERY,
    run: (deps) => list(deps, source),
  })
}
