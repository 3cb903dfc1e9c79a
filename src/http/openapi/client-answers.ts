import { z } from 'zod'
import { type ClientViewName, VIEWS } from '../../presenters/client-view.ts'

/** The part of an answer that clients are shown. Every field may be missing: what is hidden depends on the answer. */
export function clientAnswer(schema: z.ZodType, view: ClientViewName = 'answer'): z.ZodType {
  const inner = unwrapped(schema)
  if (inner instanceof z.ZodArray) return z.array(clientAnswer(inner.element as z.ZodType, view))
  if (!(inner instanceof z.ZodObject)) return inner
  const fields = Object.entries(VIEWS[view]).flatMap(([name, kind]) => {
    const field = inner.shape[name] as z.ZodType | undefined
    if (field === undefined) return []
    return [[name, (kind === 'plain' ? field : clientAnswer(field, kind as ClientViewName).nullable()).optional()]]
  })
  return z.strictObject(Object.fromEntries(fields) as z.ZodRawShape)
}

function unwrapped(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodLazy || schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return unwrapped(schema.unwrap() as z.ZodType)
  return schema
}
