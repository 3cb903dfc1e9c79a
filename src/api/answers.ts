import { z } from 'zod'
import type { Answers } from '../http/endpoint.ts'
import { listBody } from '../http/lists/list.ts'
import { PAGE } from '../objects/answers.ts'
import { named } from '../objects/object.ts'
import { EXAMPLES, LISTED_EXAMPLES, type ObjectName } from './examples/index.ts'
import { pascal, words } from './names.ts'

const SUCCESS = { success: z.literal(true).describe('Always true.') }

/** The body of an answer with 200. */
export const body = (fields: object): object => ({ success: true, ...fields })

/** Fields of its own, and an example of them. */
export function ok(says: string, fields: z.ZodRawShape, example: object): Answers {
  return {
    says,
    bodies: { 200: z.strictObject({ ...SUCCESS, ...fields }) },
    examples: { 200: { example: body(example) } },
  }
}

/** Nothing but success. */
export const success = (says: string): Answers => ok(says, {}, {})

/** An object under its name, whose relations `expand` shows; another example where it is not as it mostly is. */
export function shows(name: ObjectName, says?: string, example?: object): Answers {
  return { ...showsOnly(name, says, example), expands: name }
}

/** The same where `expand` shows nothing. */
export function showsOnly(name: ObjectName, says = `The ${words(name)}.`, example: object = EXAMPLES[name]): Answers {
  return ok(says, { [name]: named(pascal(name)) }, { [name]: example })
}

/** A page of a list of these objects. `single`: the name of a single one beside the list. */
export function pageOf(name: ObjectName, single?: string): Answers {
  const listed = LISTED_EXAMPLES[name]
  const schema = named(listed === undefined ? pascal(name) : `Listed${pascal(name)}`)
  const example = listed ?? EXAMPLES[name]
  const alone = single === undefined ? {} : { [single]: schema.describe('The one object of the list.').optional() }
  const page = { rows: [example], hasMore: false, totalCount: 1, isTotalCapped: false }
  const shown = listBody(`${name}s`, { limit: 10, order: 'desc', cursor: null }, page, [{ ...example }])
  return {
    says: 'A page of the list.',
    bodies: {
      200: z.strictObject({ ...PAGE, [`${name}s`]: z.array(schema).describe('The objects of this page.'), ...alone }),
    },
    expands: name,
    examples: { 200: { example: { ...shown, ...(single === undefined ? {} : { [single]: example }) } } },
  }
}
