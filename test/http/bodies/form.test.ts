import { describe, expect, test } from '@jest/globals'
import { readForm } from '../../../src/http/bodies/form.ts'
import { readJson } from '../../../src/http/bodies/json.ts'

const LIMITS = { bytes: 1_000, depth: 4, entries: 20 }

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const json = (text: string) => plain(readJson(JSON.parse(text), text, LIMITS))
const form = (text: string) => plain(readForm(text, LIMITS))

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

  test.each(['a=1&a.b=2', 'a.b=2&a=1', 'a=1&a=2&a.b=3', 'a[b]=1&a[]=2', 'a[0]=x&a[]=y', 'a[0]=1&a[0][b]=2'])(
    '%s gives one field twice',
    (text) => {
      expect(() => form(text)).toThrow(/given twice/)
    },
  )

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
