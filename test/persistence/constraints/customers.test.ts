import { afterAll, beforeAll, describe, test } from '@jest/globals'
import { type ConstraintStage, live, type Name, startConstraintStage } from './stage.ts'

let stage: ConstraintStage

beforeAll(async () => {
  stage = await startConstraintStage()
})
afterAll(() => stage.database.drop())

describe('the database refuses', () => {
  test.each<Name>(['customer', 'card', 'token', 'event'])(
    'a row of %s only as the cases below change it',
    async (name) => {
      await stage.accepted(name)
    },
  )

  test.each<[string, Name, object]>([
    ['a customer of a project that is not there', 'customer', { projectId: 'proj_none' }],
    ['a default token that is not there', 'customer', { defaultTokenId: 'tok_none' }],
    ['the default token of another customer', 'customer', { defaultTokenId: 'tok_mine' }],
    ['a token of a customer of another project', 'token', { customerId: 'cust_theirs' }],
    ['a token of a customer of the other environment', 'token', live],
    ['a token of a card of another project', 'token', { type: 'card', cardId: 'card_theirsdeleted' }],
    ['a token verified by an invoice of another project', 'token', { invoiceId: 'iv_theirs' }],
    ['a card used by a token of another project', 'card', { usedByTokenId: 'tok_theirs' }],
    ['an event of a customer of another project', 'event', { customerId: 'cust_theirs' }],
  ])('%s', async (_, name, change) => {
    await stage.refused(name, change, /_fkey/)
  })

  test.each<[string, Name, object, string | RegExp]>([
    ['a second token of a card', 'token', { type: 'card', cardId: 'card_mine' }, 'customer_token_card'],
    ['a card token without a card', 'token', { type: 'card' }, 'card_token_has_a_card'],
    ['a pending token with a card', 'token', { type: 'pending', cardId: 'card_minedeleted' }, 'card_token_has_a_card'],
    ['a gateway token that the gateway does not know', 'token', { gatewayToken: null }, 'gateway_token_has_a_name'],
    ['a token of an unknown type', 'token', { type: 'cash' }, 'customer_token_type_check'],
    ['an unknown result of a verification', 'token', { verificationStatus: 'maybe' }, /verification_status_check/],
    ['a balance without a currency', 'customer', { currency: null }, 'balance_has_a_currency'],
    ['a deleted customer who is somebody', 'customer', { deletedAt: new Date() }, 'deleted_customer_is_nobody'],
    ['a deleted card with its number', 'card', { deletedAt: new Date() }, 'number_goes_once'],
    ['a card without a number', 'card', { numberCiphertext: null }, 'number_goes_once'],
    ['an event of no transaction with a place among its events', 'event', { transactionId: null }, /^sequence_counts/],
    ['an event of a transaction without a place', 'event', { sequence: null }, /^sequence_counts/],
  ])('%s', async (_, name, change, constraint) => {
    await stage.refused(name, change, constraint)
  })
})
