import { expect, test } from '@jest/globals'
import { readForm } from '../../../src/http/bodies/form.ts'
import { readJson } from '../../../src/http/bodies/json.ts'

const LIMITS = { bytes: 65_536, depth: 8, entries: 1_000 }
const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`)

test.each([
  ['JSON', (count: number) => readJson(Object.fromEntries(names(count).map((name) => [name, 1])), '', LIMITS)],
  ['a form', (count: number) => readForm(names(count).join('=1&'), LIMITS)],
])('of a body as %s no more names are looked at than a request may have', (_, read) => {
  expect(Object.keys(read(200))).toHaveLength(200)
  expect(() => read(201)).toThrow('more than 200 outermost fields')
})
