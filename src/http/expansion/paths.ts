import { shown } from '../../objects/taken.ts'
import type { ApiError } from '../api-error.ts'
import { type ApiContext, isMerchant } from '../context.ts'
import { invalidField } from '../input/input.ts'
import { textsOf } from '../input/query.ts'
import { type ResourceName, resourceOf } from './resources.ts'

/** The requested relations, with those inside each. */
export type Expansion = Map<string, Expansion>

/** How many relations deep an answer may go; below `customer.transactions.card` there is nothing new. */
const DEPTH_MAX = 3

/** More paths than any resource has within that depth without cycles. */
const PATHS_MAX = 50

/** The relations that clients may expand; their libraries request more, which is ignored. */
const FOR_CLIENTS: Partial<Record<ResourceName, readonly string[]>> = { invoice: ['transaction'] }

/**
 * The relations that the request wants expanded. The query has `expand=a,b.c`, `expand=a&expand=b`, `expand[]=a` or
 * `expand[0]=a`, a body a list or one text.
 *
 * @throws ApiError request.expand.invalid, naming the possible ones.
 */
export function readExpansion(ctx: ApiContext, resource: ResourceName): Expansion {
  const texts = textsOf(ctx, 'expand', (name) => wrongExpansion(`cannot be written as ${name}; write expand[]`))
  const paths = [...texts, ...textsInBody(ctx)]
    .flatMap((text) => text.split(','))
    .map((path) => path.trim())
    .filter((path) => path !== '')
    .filter((path) => isMerchant(ctx) || FOR_CLIENTS[resource]?.includes(path))
  if (paths.length > PATHS_MAX) throw wrongExpansion(`must have ${PATHS_MAX} paths at most`)
  const expansion: Expansion = new Map()
  for (const path of paths) addPath(expansion, resource, path)
  return expansion
}

function textsInBody(ctx: ApiContext): string[] {
  const texts = [ctx.request.fields?.expand ?? []].flat()
  if (texts.some((text) => typeof text !== 'string')) throw wrongExpansion('must be a list of texts')
  return texts as string[]
}

function addPath(expansion: Expansion, resource: ResourceName, path: string): void {
  const steps = path.split('.')
  if (steps.length > DEPTH_MAX) throw wrongExpansion(`must be ${DEPTH_MAX} relations deep at most`)
  let here = expansion
  let name = resource
  for (const [place, step] of steps.entries()) {
    const { relations, alwaysShown = [] } = resourceOf(name)
    if (place === steps.length - 1 && alwaysShown.includes(step)) return
    const relation = Object.hasOwn(relations, step) ? relations[step] : undefined
    if (relation === undefined) throw wrongExpansion(unknown(step, name))
    const inside = here.get(step) ?? new Map()
    here.set(step, inside)
    here = inside
    name = relation.to
  }
}

function unknown(step: string, name: ResourceName): string {
  const names = Object.keys(resourceOf(name).relations)
  const known = names.length === 0 ? 'which has nothing to expand' : `which has ${names.join(', ')}`
  return `has ${shown(step)}, which is no relation of ${name}, ${known}`
}

export function wrongExpansion(message: string): ApiError {
  return invalidField('expand', message, 'request.expand.invalid')
}
