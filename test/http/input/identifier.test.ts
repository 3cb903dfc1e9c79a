import { expect, test } from '@jest/globals'
import { ruleSetProblems } from '../../../domain/routing/problems.ts'
import { ENDPOINTS } from '../../../src/api/endpoints.ts'
import { readSource } from '../../../src/api/payments/source.ts'
import { readTokenInput } from '../../../src/api/tokens/token-input.ts'
import { type InputDefinition, readInput } from '../../../src/http/input/input.ts'
import { readPageRequest } from '../../../src/http/input/query.ts'
import { jsonBody, MERCHANT, queried, refusalOf, withValue } from '../../api/refusals.ts'
import { route } from '../../domain/routing/builders.ts'

/** The id of an object that no request names. */
const OTHER = `rec_${'a'.repeat(32)}`
const SAYS = 'is the id of a reconciliation (rec_…); the id of '

/** What an input says of that id in a field; null where it takes it. */
function saidOf(input: InputDefinition<unknown>, name: string): string | null {
  const value = input.lists.includes(name) ? [OTHER] : OTHER
  const { invalidFields = [] } = refusalOf(() => readInput(input, jsonBody(withValue({ unknown: 1 }, name, value))))
  return invalidFields.find((field) => field.name.startsWith(name))?.message ?? null
}

/** Your own ids, those of others, and what we do not have. */
const NOT_OURS = /(order|reference|submerchant|subscription|link|initial_scheme_transaction|ds_trans)_id$/

test('every field of a body that takes an id of ours says of another one what it is the id of', () => {
  const said = ENDPOINTS.flatMap(({ place, body }) =>
    (body?.input.names ?? [])
      .filter((name) => /_ids?$/.test(name) && !NOT_OURS.test(name))
      .map((name) => [place, name, saidOf(body?.input as InputDefinition<unknown>, name)] as const),
  )
  expect(said.length).toBeGreaterThan(15)
  expect(said.filter(([, , message]) => message?.startsWith(SAYS) !== true)).toEqual([])
})

test('so do a source, a list of gateways and a page of a list, which take ids beside other texts', () => {
  expect(readSource(OTHER, MERCHANT)).toMatchObject({
    message: `${SAYS}a card begins with card_, that of a token with tok_, that of a customer with cust_`,
  })
  const token = refusalOf(() => readTokenInput(jsonBody({ source: 'tok_1' }), MERCHANT, { allowPrivateTargets: false }))
  expect(token.message).toBe('source is the id of a token (tok_…); the id of a card begins with card_.')
  expect(ruleSetProblems([route(null, [OTHER])], { defaultCurrency: 'EUR' })).toMatchObject([
    { message: `"${OTHER}" ${SAYS}a gateway configuration begins with gway_conf_` },
  ])
  const page = refusalOf(() => readPageRequest(queried(`start_after=${OTHER}`), 'apiKey'))
  expect(page.message).toBe(`start_after ${SAYS}an API key begins with key_.`)
})
