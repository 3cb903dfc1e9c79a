import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { AMOUNT_NAMES, readJson } from '../../../src/http/bodies/json.ts'

const LIMITS = { bytes: 1_000, depth: 4, entries: 20 }

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const json = (text: string) => plain(readJson(JSON.parse(text), text, LIMITS))

describe('an amount that is a number of JSON', () => {
  test.each([
    '29',
    '29.00',
    '29.0',
    '0.1',
    '0.10',
    '12345678901.1234',
    '-1',
    '-0',
    '1e3',
    '1E3',
    '1.0e0',
    '1e-7',
    '29.12345',
    '0.1000000000000000055511151231257827',
    '123456789012345678901234567890',
  ])('is the text %s, as it is written', (number) => {
    expect(json(`{"amount":${number}}`)).toEqual({ amount: number })
    expect(json(`{ "capture_amount" :\n${number} , "x": "y" }`)).toEqual({ capture_amount: number, x: 'y' })
    expect(json(`{"details":[{"amount":${number},"discount_amount":${number}}]}`)).toEqual({
      details: [{ amount: number, discount_amount: number }],
    })
    expect(json(`{"shipping.amount":${number},"tax[amount]":${number}}`)).toEqual({
      shipping: { amount: number },
      tax: { amount: number },
    })
    expect(json(`{"am\\u006funt":${number}}`)).toEqual({ amount: number })
  })

  test('leaves every other number, and every text, what it is', () => {
    expect(json('{"amount":1.50,"quantity":1.0,"exp_month":12,"amounts":2,"an_amount":3,"list":[1.0,2]}')).toEqual({
      amount: '1.50',
      quantity: 1,
      exp_month: 12,
      amounts: 2,
      an_amount: 3,
      list: [1, 2],
    })
    const text = '{"name":"\\"amount\\":1 and \\\\","description":"\\"amount\\": 2.00","amount":3}'
    expect(json(text)).toEqual({ name: '"amount":1 and \\', description: '"amount": 2.00', amount: '3' })
    expect(json('{"amount":"1.50","capture_amount":null,"balance":true}')).toEqual({
      amount: '1.50',
      capture_amount: null,
      balance: true,
    })
  })

  test('is the last one where it stands twice', () => {
    expect(json('{"amount":1.50,"amount":2.50}')).toEqual({ amount: '2.50' })
  })

  test('stays a number in what belongs to the merchant', () => {
    const gateway = { amount: 5.5, inner: { amount: [1] } }
    expect(json('{"amount":1,"gateway_data":{"amount":5.50,"inner":{"amount":[1]}},"metadata":{"amount":5}}')).toEqual({
      amount: '1',
      gateway_data: gateway,
      metadata: { amount: 5 },
    })
    expect(json('{"gateway_data.amount":5.5,"details":[{"metadata":{"amount":5},"amount":1.0}]}')).toEqual({
      gateway_data: { amount: 5.5 },
      details: [{ metadata: { amount: 5 }, amount: '1.0' }],
    })
  })

  test('is known by the name of every field of the schemas that is an amount', () => {
    const folder = join(import.meta.dirname, '../../../src')
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /^(?:api|objects)\/.*\.ts$/.test(name))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
    const declared = /^ +(\w+): (?:both\(.*)?(?:taken\.)?amountText\b/gm
    const fields = sources.flatMap((source) => [...source.matchAll(declared)].map(([, name]) => name))
    expect(fields.length).toBeGreaterThan(9)
    expect(AMOUNT_NAMES).toEqual(expect.arrayContaining(fields))
  })
})

test('an empty list is an object without fields, as PHP writes it, and no other list is', () => {
  expect(json('[]')).toEqual({})
  expect(() => json('[{"amount":1}]')).toThrow('not an object')
})
