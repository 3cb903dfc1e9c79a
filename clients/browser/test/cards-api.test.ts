import { expect, test } from '@jest/globals'
import { createCardsApi } from '../src/form/cards-api.ts'
import type { Reply } from '../src/payment/answer.ts'

const BUSY: Reply = {
  status: 409,
  body: { success: false, error_type: 'request.still-processing', message: 'Come again.' },
  retryAfterMs: null,
}
const STORED: Reply = { status: 200, body: { success: true, card: { id: 'card_1' } }, retryAfterMs: null }

test('a card that the service is still storing is asked for again with the same key, and is not told as refused', async () => {
  const answers = [BUSY, STORED]
  const keys: unknown[] = []
  const api = createCardsApi('https://api.example', 'test-proj_1', async ({ headers }) => {
    keys.push(headers?.['Idempotency-Key'])
    return answers.shift() ?? BUSY
  })
  expect(await api.createCard({ number: '4242' })).toMatchObject({ kind: 'created', card: { id: 'card_1' } })
  expect(keys).toEqual([expect.any(String), keys[0]])
})
