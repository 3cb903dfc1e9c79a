import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { CardEntity } from '../../../../src/persistence/entities/card.ts'
import { CustomerEntity } from '../../../../src/persistence/entities/customer.ts'
import type { EntityManager } from '../../../../src/persistence/orm.ts'
import { lockCard, replaceSecurityCode } from '../../../../src/persistence/queries/customers/cards.ts'
import {
  deleteToken,
  findTokenOfCard,
  findTokenOfCustomer,
} from '../../../../src/persistence/queries/customers/customer-tokens.ts'
import { lockCustomer } from '../../../../src/persistence/queries/customers/customers.ts'
import { MINUTE_MS, paymentsForFile } from '../../payments.ts'

/** Long enough for a payment to come to the row that is held. */
const UNTIL_IT_WAITS_MS = 500

const payments = paymentsForFile()

const scope = () => ({ projectId: payments.projectId, sandbox: true })

/** Pays while somebody else holds a row, who then goes on. */
async function payMeanwhile(
  { invoiceId, cardId }: { invoiceId: string; cardId: string },
  hold: (em: EntityManager) => Promise<unknown>,
  goOn: (em: EntityManager) => Promise<unknown>,
) {
  const em = payments.em()
  await em.begin()
  await hold(em)
  const paying = payments.step(invoiceId, payments.build.authorize(cardId))
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
    const cardId = await payments.makeCard()
    const { customerId } = await payments.storeCard(cardId)
    const invoiceId = await payments.makeInvoice(isNamed ? { customerId } : {})
    const paid = await payMeanwhile(
      { invoiceId, cardId },
      (em) => lockCustomer(em, scope(), customerId),
      async (em) => {
        const customer = await lockCustomer(em, scope(), customerId)
        const found = await findTokenOfCard(em, scope(), cardId)
        const token = customer === null || found === null ? null : await findTokenOfCustomer(em, customer, found.id)
        if (customer === null || token === null) throw new Error('Both are there.')
        await deleteToken(em, customer, token, payments.deps.clock.now())
      },
    )
    expect(paid).toMatchObject({
      status: 'fulfilled',
      value: { answer: { kind: 'refused', code: 'resource.card.not-found' } },
    })
    const { deletedAt } = await payments.em().findOneOrFail(CardEntity, { id: cardId })
    expect(deletedAt).toEqual(expect.any(Date))
  },
)

test('a payment that waits for its card takes the security code that came meanwhile', async () => {
  const cardId = await payments.makeCard()
  const { vault } = payments.deps
  const paid = await payMeanwhile(
    { invoiceId: await payments.makeInvoice(), cardId },
    (em) => lockCard(em, scope(), cardId),
    (em) => {
      const expiresAt = new Date(payments.now() + MINUTE_MS)
      return replaceSecurityCode(em, { ...scope(), cardId, ...vault.encryptSecurityCode(cardId, '123'), expiresAt })
    },
  )
  expect(paid).toMatchObject({ status: 'fulfilled', value: { answer: { kind: 'done' } } })
  expect(payments.gateway.asked).toMatchObject([{ request: { card: { cvc: '123' } } }])
})

test('a customer who is unknown or deleted is not found, and one without a default token is no source', async () => {
  const { customerId: known } = await payments.storeCard(await payments.makeCard())
  const { customerId: deleted } = await payments.storeCard(await payments.makeCard())
  await payments.em().nativeUpdate(CustomerEntity, { id: deleted }, { deletedAt: payments.deps.clock.now() })
  const charge = async (source: string) =>
    (await payments.step(await payments.makeInvoice(), payments.build.authorize(source))).answer
  for (const source of ['cust_unknown', deleted])
    expect(await charge(source)).toMatchObject({ kind: 'refused', code: 'resource.customer.not-found' })
  expect(await charge(known)).toMatchObject({ kind: 'refused', code: 'request.source.invalid' })
})
