import { expect, test } from '@jest/globals'
import { CardEntity } from '../../src/persistence/entities/card.ts'
import { eraseCardNumbers } from '../../src/persistence/queries/retention/retention.ts'
import { interfaceForFile } from './interface.ts'
import { createTokenStage } from './token-stage.ts'

const api = interfaceForFile()
const stage = createTokenStage(api)

test('a card whose number was erased can be stored no more, and is shown and deleted like any other', async () => {
  const { client } = api.merchant
  const [cardId, customerId] = [await stage.newCard(), await stage.newCustomer()]
  const shown = await client.get(`/cards/${cardId}`)
  const later = new Date(api.clock.now().getTime() + 1000)
  expect(await eraseCardNumbers(stage.entities(), { before: later, limit: 10 }, api.clock.now())).toBe(1)

  const refused = await client.post(`/customers/${customerId}/tokens`, { source: cardId })
  expect(refused).toMatchObject({
    status: 400,
    body: { invalid_fields: [{ name: 'source', message: 'is a card whose number was erased; create it anew' }] },
  })
  const { updated_at: _, ...card } = shown.body.card
  expect((await client.get(`/cards/${cardId}`)).body.card).toMatchObject(card)
  expect(await client.delete(`/cards/${cardId}`)).toMatchObject({ status: 200, body: { success: true } })
  expect(await stage.entities().findOneOrFail(CardEntity, { id: cardId })).toMatchObject({ numberCiphertext: null })
  expect((await client.get(`/cards/${cardId}`)).status).toBe(404)
})
