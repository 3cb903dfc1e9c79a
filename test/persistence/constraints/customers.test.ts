import { afterAll, beforeAll, describe, test } from '@jest/globals'
import { CardEntity } from '../../../src/persistence/entities/card.ts'
import { CustomerEntity } from '../../../src/persistence/entities/customer.ts'
import { CustomerTokenEntity } from '../../../src/persistence/entities/customer-token.ts'
import { EventEntity } from '../../../src/persistence/entities/event.ts'
import { type ConstraintStage, live, mine, startConstraintStage } from './stage.ts'

let stage: ConstraintStage

beforeAll(async () => {
  stage = await startConstraintStage()
  await stage.database.orm.em.fork().insert(CustomerEntity, customer)
})
afterAll(() => stage.database.drop())

/** A second object beside the row: what else it would break is changed, so that one constraint is left to break. */
const customer = { ...mine.customer, id: 'cust_other', defaultTokenId: null }
const card = { ...mine.card, id: 'card_other', usedByTokenId: null }
const token = { ...mine.token, id: 'tok_other', type: 'gateway_token' as const, cardId: null }
const event = { ...mine.event, id: 'ev_other', sequence: 2 }

describe('the database refuses', () => {
  test.each([
    ['a customer', CustomerEntity, { ...customer, id: 'cust_x' }],
    ['a card', CardEntity, card],
    ['a token', CustomerTokenEntity, token],
    ['an event', EventEntity, event],
  ])('%s only as the cases below change it', async (_, entity, row) => {
    await stage.accepted(entity, row)
  })

  test.each([
    [
      'a customer of a project that is not there',
      CustomerEntity,
      { ...customer, id: 'cust_x', projectId: 'proj_none' },
    ],
    ['a default token that is not there', CustomerEntity, { ...customer, id: 'cust_x', defaultTokenId: 'tok_none' }],
    [
      'the default token of another customer',
      CustomerEntity,
      { ...customer, id: 'cust_x', defaultTokenId: 'tok_mine' },
    ],
    ['a token of a customer of another project', CustomerTokenEntity, { ...token, customerId: 'cust_theirs' }],
    ['a token of a customer of the other environment', CustomerTokenEntity, { ...token, ...live }],
    [
      'a token of a card of another project',
      CustomerTokenEntity,
      { ...token, type: 'card', cardId: 'card_theirsdeleted' },
    ],
    ['a token verified by an invoice of another project', CustomerTokenEntity, { ...token, invoiceId: 'iv_theirs' }],
    ['a card used by a token of another project', CardEntity, { ...card, usedByTokenId: 'tok_theirs' }],
    ['an event of a customer of another project', EventEntity, { ...event, customerId: 'cust_theirs' }],
  ])('%s', async (_, entity, row) => {
    await stage.refused(entity, row, /_fkey/)
  })

  test.each([
    [
      'a second token of a card',
      CustomerTokenEntity,
      { ...token, type: 'card', cardId: 'card_mine' },
      'customer_token_card',
    ],
    ['a card token without a card', CustomerTokenEntity, { ...token, type: 'card' }, 'card_token_has_a_card'],
    [
      'a pending token with a card',
      CustomerTokenEntity,
      { ...token, type: 'pending', cardId: 'card_minedeleted' },
      'card_token_has_a_card',
    ],
    [
      'a gateway token that the gateway does not know',
      CustomerTokenEntity,
      { ...token, gatewayToken: null },
      'gateway_token_has_a_name',
    ],
    ['a token of an unknown type', CustomerTokenEntity, { ...token, type: 'cash' }, 'customer_token_type_check'],
    [
      'an unknown result of a verification',
      CustomerTokenEntity,
      { ...token, verificationStatus: 'maybe' },
      /verification_status_check/,
    ],
    [
      'a balance without a currency',
      CustomerEntity,
      { ...customer, id: 'cust_x', currency: null },
      'balance_has_a_currency',
    ],
    [
      'a deleted customer who is somebody',
      CustomerEntity,
      { ...customer, id: 'cust_x', deletedAt: new Date() },
      'deleted_customer_is_nobody',
    ],
    ['a deleted card with its number', CardEntity, { ...card, deletedAt: new Date() }, 'number_goes_once'],
    ['a card without a number', CardEntity, { ...card, numberCiphertext: null }, 'number_goes_once'],
    [
      'an event of no transaction with a place among its events',
      EventEntity,
      { ...event, transactionId: null },
      /^sequence_counts/,
    ],
    ['an event of a transaction without a place', EventEntity, { ...event, sequence: null }, /^sequence_counts/],
  ])('%s', async (_, entity, row, constraint) => {
    await stage.refused(entity, row, constraint)
  })
})
