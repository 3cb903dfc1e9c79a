import { expect, test } from '@jest/globals'
import { derivedBytes } from '../../src/vault/derived-bytes.ts'

const three = (text: string) => {
  const bytes = derivedBytes(text)
  return [bytes(16), bytes(16), bytes(4)].map((each) => Buffer.from(each).toString('hex'))
}

test('a second run derives the same bytes from a text, anew for each question, and others from another text', () => {
  const [first, second, short] = three('tr_op_1 made anew')
  expect(three('tr_op_1 made anew')).toEqual([first, second, short])
  expect([first?.length, second?.length, short?.length]).toEqual([32, 32, 8])
  expect(new Set([first, second, ...three('tr_op_2 made anew')]).size).toBe(5)
})
