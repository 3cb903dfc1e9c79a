import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { readForm } from '../../src/http/bodies/form.ts'
import { AMOUNT_NAMES, readJson } from '../../src/http/bodies/json.ts'

const LIMITS = { bytes: 1_000, depth: 4, entries: 20 }

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const json = (text: string) => plain(readJson(text, LIMITS))
const form = (text: string) => plain(readForm(text, LIMITS))

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
    const folder = join(import.meta.dirname, '../../src/http/schemas')
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
    const fields = sources.flatMap((source) => [...source.matchAll(/(\w+): amountText/g)].map(([, name]) => name))
    expect(fields.length).toBeGreaterThan(5)
    expect(AMOUNT_NAMES).toEqual(expect.arrayContaining(fields))
  })
})

describe('a form', () => {
  test.each([
    ['a=1&b=x+y%26', { a: '1', b: 'x y&' }],
    ['', {}],
    ['&&a=1&', { a: '1' }],
    ['a', { a: '' }],
    ['a.b=1&a[c]=2&a.d[e]=3', { a: { b: '1', c: '2', d: { e: '3' } } }],
    ['a%5Bb%5D=1', { a: { b: '1' } }],
    ['m[x.y]=1', { m: { 'x.y': '1' } }],
    ['a[]=1', { a: ['1'] }],
    ['a[]=1&a[]=2', { a: ['1', '2'] }],
    ['a=1&a=2&a=3', { a: ['1', '2', '3'] }],
    ['a=1&a[]=2', { a: ['1', '2'] }],
    ['a[1]=y&a[0]=x&a[10]=z', { a: ['x', 'y', 'z'] }],
    ['a[0]=x&a[]=y', { a: ['x', 'y'] }],
    ['a.b[]=1&a.b[]=2', { a: { b: ['1', '2'] } }],
    ['d[0][n]=x&d[0][m]=1&d[1][n]=y', { d: [{ n: 'x', m: '1' }, { n: 'y' }] }],
    ['d[0].n=x&d[1].n=y', { d: [{ n: 'x' }, { n: 'y' }] }],
    [
      'd[][n]=x&d[][m]=1&d[][n]=y&d[][m]=2',
      {
        d: [
          { n: 'x', m: '1' },
          { n: 'y', m: '2' },
        ],
      },
    ],
    ['d[][m]=1&d[][n]=x&d[][n]=y', { d: [{ m: '1', n: 'x' }, { n: 'y' }] }],
    ['d[].n=x&d[].n=y', { d: [{ n: 'x' }, { n: 'y' }] }],
    ['d[][m][k]=1&d[][m][l]=2&d[][m][k]=3', { d: [{ m: { k: '1', l: '2' } }, { m: { k: '3' } }] }],
    ['d[][t][]=1&d[][t][]=2&d[][n]=x', { d: [{ t: ['1', '2'], n: 'x' }] }],
    ['d[n]=x&d[m]=1', { d: { n: 'x', m: '1' } }],
    ['a[=1&[]=2&.b=3', { 'a[': '1', '[]': '2', '.b': '3' }],
    ['a[__proto__][x]=1&__proto__.y=1', { 'a[__proto__][x]': '1', '__proto__.y': '1' }],
    ['a.constructor.prototype=1', { a: { constructor: { prototype: '1' } } }],
  ])('%s means %j', (text, expected) => {
    expect(form(text)).toEqual(expected)
  })

  test.each(['a=1&a.b=2', 'a.b=2&a=1', 'a[b]=1&a[]=2', 'a[0]=1&a[0][b]=2'])('%s gives one field twice', (text) => {
    expect(() => form(text)).toThrow(/given twice/)
  })

  test('has objects without a prototype', () => {
    const fields = readForm('a.b=1', LIMITS)
    expect(Object.getPrototypeOf(fields)).toBeNull()
    expect(Object.getPrototypeOf(fields.a)).toBeNull()
  })
})

describe('a body beyond the limits', () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `f${index}`)

  test('says how many fields and items it may have', () => {
    const message = 'The body has more than 20 fields and items of lists.'
    expect(() => json(JSON.stringify({ a: names(20) }))).toThrow(message)
    expect(json(JSON.stringify({ a: names(19) }))).toEqual({ a: names(19) })
    expect(() => form(names(21).join('=1&'))).toThrow(message)
    expect(Object.keys(form(names(20).join('=1&')) as object)).toHaveLength(20)
    const nested = (count: number) => names(count).map((name) => `a.${name}.b=1`)
    expect(() => form(nested(10).join('&'))).toThrow(message)
    expect(Object.keys((form(nested(9).join('&')) as { a: object }).a)).toHaveLength(9)
  })

  test('says how deep it may be', () => {
    const message = 'The body is nested more than 4 levels deep.'
    expect(() => json('{"a":{"b":{"c":{"d":{"e":1}}}}}')).toThrow(message)
    expect(json('{"a":{"b":{"c":{"d":1}}}}')).toEqual({ a: { b: { c: { d: 1 } } } })
    expect(() => form('a.b.c.d.e=1')).toThrow(message)
    expect(form('a.b.c.d=1')).toEqual({ a: { b: { c: { d: '1' } } } })
  })
})
