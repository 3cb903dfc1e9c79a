import { describe, expect, test } from '@jest/globals'
import { nestDottedNames } from '../../../src/http/bodies/names.ts'

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe('names of a JSON body', () => {
  test.each([
    [{ 'a.b': 1 }, { a: { b: 1 } }],
    [{ 'a[b]': 1 }, { a: { b: 1 } }],
    [{ 'a.b[c].d': 1 }, { a: { b: { c: { d: 1 } } } }],
    [{ 'a[x.y]': 1 }, { a: { 'x.y': 1 } }],
    [{ 'a.b': 1, 'a.c': 2 }, { a: { b: 1, c: 2 } }],
    [{ a: { b: 1 }, 'a.c': 2 }, { a: { b: 1, c: 2 } }],
    [{ 'a.c': 2, a: { b: 1 } }, { a: { b: 1, c: 2 } }],
    [{ 'a.b': 1, a: null }, { a: { b: 1 } }],
    [{ a: null, 'a.b': 1 }, { a: { b: 1 } }],
    [{ metadata: { 'x.y': 1 } }, { metadata: { 'x.y': 1 } }],
    [
      { 'a.': 1, '.a': 2, 'a[': 3, 'a[]': 4, '': 5 },
      { 'a.': 1, '.a': 2, 'a[': 3, 'a[]': 4, '': 5 },
    ],
  ])('%j mean %j', (given, expected) => {
    expect(plain(nestDottedNames(given))).toEqual(expected)
  })

  test.each([[{ 'a.b': 1, a: 2 }], [{ a: { b: 1 }, 'a.b': 2 }], [{ 'a.b': 1, 'a[b]': 2 }], [{ a: [1], 'a.b': 2 }]])(
    '%j give one field twice',
    (given) => {
      expect(() => nestDottedNames(given)).toThrow(/given twice/)
    },
  )

  test('longer than those of fields are one name, as in a form', () => {
    const name = `a.${'b'.repeat(511)}`
    expect(plain(nestDottedNames({ [name]: 1 }))).toEqual({ [name]: 1 })
    expect(plain(nestDottedNames({ [name.slice(0, -1)]: 1 }))).toEqual({ a: { [name.slice(2, -1)]: 1 } })
  })

  test('of thousands of steps are one name', () => {
    const name = `a${'.b[c]'.repeat(10_000)}`
    expect(plain(nestDottedNames({ [name]: 1 }))).toEqual({ [name]: 1 })
  })

  test.each([
    ['constructor.prototype.x'],
    ['__proto__.x'],
    ['a.__proto__.x'],
    ['a.b.__proto__.x'],
    ['a.b[__proto__][x]'],
    ['a.b.__proto__'],
    ['a.b.constructor.prototype.x'],
    ['a.b.toString'],
  ])('reach no prototype by %s', (name) => {
    const nested = nestDottedNames({ a: { b: {} }, [name]: { x: 1 } })
    const fresh: Record<string, unknown> = {}
    expect(fresh.x).toBeUndefined()
    expect(`${fresh}`).toBe('[object Object]')
    expect(Object.getPrototypeOf(nested)).toBeNull()
    const { b } = nested.a as { b: Record<string, unknown> }
    expect(b.x).toBeUndefined()
    expect(Object.getPrototypeOf(b)).toBe(Object.prototype)
  })
})
