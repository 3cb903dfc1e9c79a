import { EventEntity } from '../../src/persistence/entities/event.ts'
import type { EntityManager } from '../../src/persistence/orm.ts'
import type { Answer } from '../support/http-client.ts'
import type { Interface } from './interface.ts'

const CARD = { number: '4242424242424242', exp_month: 7, exp_year: 2031, cvc2: '737' }

/** A token that was asked for, with the address that it has if there is one. */
export interface StoredToken {
  customerId: string
  cardId: string
  answer: Answer
  token: Answer['body']
  path: string
}

/** Customers, cards and tokens, made by the interface. */
export interface TokenFixture {
  newCustomer(body?: object): Promise<string>
  newCard(): Promise<string>
  /** A new card stored for a new customer. */
  stored(body?: object): Promise<StoredToken>
  /** The names of the events of a customer's tokens. */
  eventNames(customerId: string): Promise<string[]>
  entities(): EntityManager
}

/** @param api may be one that is not started yet. */
export function createTokenFixture(api: Interface): TokenFixture {
  const post = (path: string, body: object) => api.merchant.client.post(path, body)
  const entities = () => api.database.orm.em.fork()
  const newCustomer = async (body: object = {}) => (await post('/customers', body)).body.customer.id
  const newCard = async () => (await post('/cards', CARD)).body.card.id
  return {
    entities,
    newCustomer,
    newCard,
    async stored(body = {}) {
      const customerId = await newCustomer()
      const cardId = await newCard()
      const path = `/customers/${customerId}/tokens`
      const answer = await post(path, { source: cardId, ...body })
      return { customerId, cardId, answer, token: answer.body.token, path: `${path}/${answer.body.token?.id}` }
    },
    async eventNames(customerId) {
      const events = await entities().find(EventEntity, { customerId, name: { $like: 'customer.token.%' } })
      return events.map(({ name }) => name).toSorted()
    },
  }
}
