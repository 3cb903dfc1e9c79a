import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { makeIdentifier } from '../../domain/identifiers.ts'
import type { Gateway } from '../../src/gateways/gateway.ts'
import { CardEntity } from '../../src/persistence/entities/card.ts'
import { CustomerEntity } from '../../src/persistence/entities/customer.ts'
import type { EntityManager } from '../../src/persistence/orm.ts'
import { lockCard, replaceSecurityCode } from '../../src/persistence/queries/customers/cards.ts'
import {
  deleteToken,
  findTokenOfCard,
  findTokenOfCustomer,
  insertTokenForCard,
} from '../../src/persistence/queries/customers/customer-tokens.ts'
import { lockCustomer } from '../../src/persistence/queries/customers/customers.ts'
import { transact } from '../../src/persistence/transact.ts'
import { databaseForFile, fixtureForFile } from '../support/payment-for-file.ts'
import { createSignedActivities } from '../support/signed-activities.ts'

/** Long enough for a payment to come to the row that is held. */
const UNTIL_IT_WAITS_MS = 500

const database = databaseForFile()
/** What the gateway was last given. */
let sentCode: string | null | undefined

const listening = (gateway: Gateway): Gateway => ({
  ...gateway,
  authorize: (request, signal) => {
    sentCode = request.card?.cvc
    return gateway.authorize(request, signal)
  },
})

const fixture = fixtureForFile(database, listening)

const scope = () => ({ projectId: fixture.projectId, sandbox: true })

async function makeCustomer(): Promise<string> {
  const id = makeIdentifier('customer', fixture.deps.randomBytes)
  const now = fixture.deps.clock.now()
  const customer = { id, ...scope(), isBusiness: false, balanceMinor: 0, metadata: {} }
  await database.orm.em
    .fork()
    .insert(CustomerEntity, { ...customer, registeredAt: now, createdAt: now, updatedAt: now })
  return id
}

async function storeCard(cardId: string, customerId: string): Promise<void> {
  const card = await database.orm.em.fork().findOneOrFail(CardEntity, { id: cardId })
  await transact(database.orm, async (unit) => {
    const id = makeIdentifier('token', fixture.deps.randomBytes)
    await insertTokenForCard(unit, { id, customerId, card, now: fixture.deps.clock.now() })
  })
}

/** Pays while somebody else holds a row, who then goes on. */
async function payMeanwhile(
  payment: { invoiceId: string; cardId: string },
  hold: (em: EntityManager) => Promise<unknown>,
  goOn: (em: EntityManager) => Promise<unknown>,
) {
  const step = fixture.step(payment.invoiceId, fixture.authorizeCommand(payment.cardId))
  let paying: Promise<unknown> = Promise.resolve()
  const em = database.orm.em.fork()
  await em.begin()
  await hold(em)
  paying = createSignedActivities(fixture.deps).authorize(step)
  await sleep(UNTIL_IT_WAITS_MS)
  const [, paid] = await Promise.allSettled([goOn(em).then(() => em.commit()), paying])
  return paid
}

test.each([
  ['named by its invoice', true],
  ['of its token alone', false],
])(
  'a payment with a stored card does not lock up with the deletion of the token: the customer %s',
  async (_, isNamed) => {
    const customerId = await makeCustomer()
    const cardId = await fixture.makeCard()
    await storeCard(cardId, customerId)
    const invoiceId = await fixture.makeInvoice(isNamed ? { customerId } : {})
    const paid = await payMeanwhile(
      { invoiceId, cardId },
      (em) => lockCustomer(em, scope(), customerId),
      async (em) => {
        const customer = await lockCustomer(em, scope(), customerId)
        const found = await findTokenOfCard(em, scope(), cardId)
        const token = customer === null || found === null ? null : await findTokenOfCustomer(em, customer, found.id)
        if (customer === null || token === null) throw new Error('Both are there.')
        await deleteToken(em, customer, token, fixture.deps.clock.now())
      },
    )
    expect(paid).toMatchObject({
      status: 'fulfilled',
      value: { answer: { kind: 'refused', code: 'resource.card.not-found' } },
    })
    const [card] = await fixture.execute('select deleted_at is not null as deleted from card where id = $1', [cardId])
    expect(card).toEqual({ deleted: true })
  },
)

test('a payment that waits for its card takes the security code that came meanwhile', async () => {
  const cardId = await fixture.makeCard()
  const { vault } = fixture.deps
  const paid = await payMeanwhile(
    { invoiceId: await fixture.makeInvoice(), cardId },
    (em) => lockCard(em, scope(), cardId),
    (em) => {
      const expiresAt = new Date(fixture.deps.clock.now().getTime() + 60_000)
      return replaceSecurityCode(em, { ...scope(), cardId, ...vault.encryptSecurityCode(cardId, '123'), expiresAt })
    },
  )
  expect(paid).toMatchObject({ status: 'fulfilled', value: { answer: { kind: 'done' } } })
  expect(sentCode).toBe('123')
})
