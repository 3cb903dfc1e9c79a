import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { makeFinder } from './finder.ts'

const WANTED = new Map([
  ['abcd', 'plain'],
  ['abcde', 'longer'],
  ['dcba', 'plain'],
  ['bcda', 'turned'],
  ['\u20ac\u20ac\u20ac\u20ac', 'money'],
])
const find = makeFinder(WANTED)

test.each([
  ['', []],
  ['abc', []],
  ['abcd', ['plain']],
  ['abcde', ['plain', 'longer']],
  ['xxdcba', ['plain']],
  ['abcda', ['plain', 'turned']],
  ['a\u20ac\u20ac\u20ac\u20ac', ['money']],
])('in %j are %j', (text, expected) => {
  expect([...find(text)].sort()).toEqual([...expected].sort())
})

test('whatever is looked for and wherever, it finds what includes finds', () => {
  const letters = fc.constantFrom('a', 'b', '\\', '\u00e9', '\u20ac')
  const text = (minLength: number, maxLength: number) =>
    fc.array(letters, { minLength, maxLength }).map((all) => all.join(''))
  fc.assert(
    fc.property(fc.uniqueArray(text(4, 7), { maxLength: 8 }), text(0, 60), (forms, searched) => {
      const found = makeFinder(new Map(forms.map((form) => [form, form])))(searched)
      expect([...found].sort()).toEqual(forms.filter((form) => searched.includes(form)).sort())
    }),
  )
})

test('looks for nothing so short that it is found everywhere', () => {
  expect(() => makeFinder(new Map([['abc', 'abc']]))).toThrow('fewer than 4')
})
