import { expect, test } from '@jest/globals'
import { z } from 'zod'
import { shownColumns } from '../../src/objects/columns.ts'
import { shownToClients } from '../../src/objects/fields.ts'
import { clientFields, object, type Shown } from '../../src/objects/object.ts'
import { instant, orNull, text } from '../../src/objects/shown.ts'

const FIELDS = {
  ...shownToClients({ last_4_digits: text('The last digits.') }),
  bank_name: orNull(text('The bank.')),
  used_at: orNull(instant('When it was used.')),
}
const piece = object('PieceOfThisTest', 'For this test.', FIELDS)

interface Row {
  last4Digits: string
  bankName?: string | null
  usedAt: Date | null
  secret: string
}

const row: Row = { last4Digits: '4242', usedAt: new Date(0), secret: 'nobody sees it' }

test('a field shows the column of its name, an instant as text, no value as null, and no other column is shown', () => {
  const shown: Shown<typeof piece> = shownColumns(FIELDS, row)
  expect(shown).toStrictEqual({ last_4_digits: '4242', bank_name: null, used_at: '1970-01-01T00:00:00.000Z' })
})

test('a field without a column of its name, or with one of another type, does not compile', () => {
  const others = z.object({ ...piece.shape, amount: z.string() })
  // @ts-expect-error: nothing makes the amount.
  const missing: Shown<typeof others> = shownColumns(others.shape, row)
  const wrong = z.object({ secret: z.boolean() })
  // @ts-expect-error: the column is a text.
  const different: Shown<typeof wrong> = shownColumns(wrong.shape, row)
  expect([missing.amount, different.secret]).toEqual([null, 'nobody sees it'])
})

test('clients see what says so, and nothing else', () => {
  expect(clientFields(piece)).toEqual(['last_4_digits'])
})
