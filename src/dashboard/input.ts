import type { z } from 'zod'
import type { ApiContext } from '../http/context.ts'
import { defineInput, type InputDefinition, readInput } from '../http/input/input.ts'
import { bodyOf } from '../http/middleware/body.ts'

/** By the fields of the request; each is made once. */
const DEFINITIONS = new WeakMap<z.ZodRawShape, InputDefinition<unknown>>()

/**
 * The body of a call of the dashboard's own.
 *
 * @param fields of `contract.ts`
 * @throws ApiError with all problems of the body
 */
export function readRequest<Fields extends z.ZodRawShape>(
  ctx: ApiContext,
  fields: Fields,
): z.output<z.ZodObject<Fields>> {
  const definition = DEFINITIONS.get(fields) ?? defineInput(() => fields)
  DEFINITIONS.set(fields, definition)
  return readInput(definition, bodyOf(ctx)) as z.output<z.ZodObject<Fields>>
}
