import { expect, test } from '@jest/globals'
import { ENDPOINTS } from '../../src/api/endpoints.ts'
import { ApiError } from '../../src/http/api-error.ts'
import { type InputDefinition, readInput } from '../../src/http/input/input.ts'

const requests = ENDPOINTS.flatMap(({ body }) => body ?? [])
const INPUTS = [...new Map(requests.map(({ name, input }) => [name, input as InputDefinition<unknown>]))]

/** A body with this text in the place of one field. */
function bodyWith(name: string, text: unknown, lists: readonly string[]): Record<string, unknown> {
  const [first = '', ...inner] = name.split('.')
  const value = inner.reduceRight<unknown>((within, step) => ({ [step]: within }), text)
  return { [first]: lists.includes(first) ? [value] : value }
}

function isTaken(input: InputDefinition<unknown>, name: string, text: unknown): boolean {
  try {
    readInput(input, { fields: bodyWith(name, text, input.lists), isForm: false })
    return true
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.invalidFields?.some((wrong) => wrong.name.replaceAll(/\.\d+/g, '').startsWith(name)) !== true
  }
}

/** Every field of every request that takes a text, as `Request field`. */
const fieldsThatTake = (text: unknown): string[] =>
  INPUTS.flatMap(([request, input]) =>
    input.names.filter((name) => isTaken(input, name, text)).map((name) => `${request} ${name}`),
  )

const namesOf = (fields: readonly string[]) => [...new Set(fields.map((field) => field.split(' ')[1] ?? ''))].toSorted()

test('text about a person and of a statement takes no card number, an id of digits elsewhere may be one by chance', () => {
  const digits = fieldsThatTake('4242424242424242')
  const onlyOthers = fieldsThatTake('Chargeback:10_4').filter((field) => !digits.includes(field))
  const address = ['address1', 'address2', 'city', 'state', 'zip']
  const within = (group: string) => address.map((name) => `${group}.${name}`)
  expect(namesOf(onlyOthers)).toEqual(
    [
      ...[...address, ...within('billing'), ...within('contact'), ...within('shipping'), 'first_name', 'last_name'],
      ...['shipping.first_name', 'shipping.last_name', 'shipping.provider', 'shipping.relay_store_name', 'name'],
      'statement_descriptor_company',
      // Whatever they hold has too few digits for a card.
      ...['phone_number', 'phone.number', 'phone.dialing_code'].flatMap((name) => [name, `shipping.${name}`]),
    ].toSorted(),
  )
  for (const [name, text] of [
    ['email', 'x4242424242424242@shop.example'],
    ['statement_descriptor', 'SHOP 4242424242424242'],
    ['statement_descriptor_city', 'x 4242424242424242'],
    ['capture_statement_descriptor', '4242424242424242'],
    ['verify_statement_descriptor', '4242424242424242'],
    ['shipping.email', 'x4242424242424242@shop.example'],
    ['phone_number', '4242424242424242'],
  ] as const)
    expect(fieldsThatTake(text).filter((field) => field.endsWith(` ${name}`))).toEqual([])
})

test('a card number as it is printed is taken by no text, but for the card itself, rules, and what is judged later', () => {
  const anything = fieldsThatTake({ x: 1 })
  const taken = fieldsThatTake('4242 4242 4242 4242').filter((field) => !anything.includes(field))
  expect(namesOf(taken).filter((name) => !/amount$|^balance$/.test(name))).toEqual([
    'content',
    'invoice_detail_ids',
    'number',
    'rules',
  ])
  // The numbers of a list are no groups of one.
  expect(namesOf(fieldsThatTake({ x: [4242, 4242, 4242, 4242] }))).toContain('gateway_data')
})
