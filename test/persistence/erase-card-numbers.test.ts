import { describe, expect, test } from '@jest/globals'
import { CardEntity } from '../../src/persistence/entities/card.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { takeCardForToken } from '../../src/persistence/queries/customers/customer-tokens.ts'
import { openPayment } from '../../src/persistence/queries/payments/open-payment.ts'
import { eraseCardNumbers } from '../../src/persistence/queries/retention/retention.ts'
import { databaseForFile, fixtureForFile } from '../support/payment-for-file.ts'
import { createSignedActivities } from '../support/signed-activities.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const DECLINED = '4000000000000002'
const NEVER_ANSWERED = '4000000000007023'

const database = databaseForFile()

const fixture = fixtureForFile(database)

const em = () => database.orm.em.fork()
const cardRow = (id: string) => em().findOneOrFail(CardEntity, { id })
const hasNumber = async (id: string) => (await cardRow(id)).numberCiphertext !== null

/** Erases what is older than an instant, which is ahead of everything unless it is said. */
const erase = (before = new Date(Date.now() + DAY_MS)) =>
  eraseCardNumbers(em(), { before, limit: 1000 }, fixture.deps.clock.now())

const authorize = (invoiceId: string, source: string) =>
  createSignedActivities(fixture.deps).authorize(fixture.step(invoiceId, fixture.authorizeCommand(source)))

async function paid(number?: string) {
  const [invoiceId, cardId] = [await fixture.makeInvoice(), await fixture.makeCard(number)]
  await authorize(invoiceId, cardId)
  return { invoiceId, cardId }
}

const age = (invoiceId: string, values: Partial<Record<'updatedAt' | 'authorizedAt', Date>>) =>
  em().nativeUpdate(TransactionEntity, { invoiceId }, values)

describe('the number of a card stays', () => {
  test('while an outcome of its payment is not known, however old it is', async () => {
    const { cardId } = await paid(NEVER_ANSWERED)
    await erase()
    expect(await hasNumber(cardId)).toBe(true)
  })

  test('while its payment is declined and may be tried again, and an authorization is young', async () => {
    const declined = await paid(DECLINED)
    const authorized = await paid()
    const before = new Date(Date.now() - DAY_MS)
    await em().nativeUpdate(CardEntity, { id: [declined.cardId, authorized.cardId] }, { createdAt: new Date(0) })
    await erase(before)
    expect(await hasNumber(declined.cardId)).toBe(true)
    expect(await hasNumber(authorized.cardId)).toBe(true)
    expect(await authorize(declined.invoiceId, declined.cardId)).toMatchObject({ answer: { kind: 'declined' } })
  })

  test('where a token stands for it', async () => {
    const cardId = await fixture.makeCard()
    const owner = { id: cardId, projectId: fixture.projectId, sandbox: true }
    await em().execute('alter table card disable trigger all')
    await takeCardForToken(em(), owner, { tokenId: 'tok_a', paidInvoiceId: null, now: new Date() })
    await em().execute('alter table card enable trigger all')
    await erase()
    expect(await hasNumber(cardId)).toBe(true)
  })

  test('while somebody holds its invoice, who may be about to charge it', async () => {
    const { invoiceId, cardId } = await paid()
    await em().transactional(async (holding) => {
      await openPayment(holding, { projectId: fixture.projectId, sandbox: true, invoiceId })
      await erase()
      expect(await hasNumber(cardId)).toBe(true)
    })
  })
})

describe('the number of a card goes', () => {
  test('when nobody needs it, and a batch takes no more than it may', async () => {
    const unused = await fixture.makeCard()
    const declined = await paid(DECLINED)
    const authorized = await paid()
    const long = new Date(Date.now() - 30 * DAY_MS)
    await em().nativeUpdate(CardEntity, { id: [unused, declined.cardId, authorized.cardId] }, { createdAt: long })
    await age(declined.invoiceId, { updatedAt: long })
    // What happens to an authorized payment later needs no number.
    await age(authorized.invoiceId, { authorizedAt: long })
    const before = new Date(Date.now() - 7 * DAY_MS)
    expect(await eraseCardNumbers(em(), { before, limit: 2 }, new Date())).toBe(2)
    expect(await eraseCardNumbers(em(), { before, limit: 2 }, new Date())).toBe(1)
    for (const id of [unused, declined.cardId, authorized.cardId]) {
      expect(await cardRow(id)).toMatchObject({
        numberCiphertext: null,
        numberKeyId: null,
        last4Digits: expect.any(String),
      })
      expect((await cardRow(id)).numberErasedAt).not.toBeNull()
    }

    const capture = await createSignedActivities(fixture.deps).capture(
      fixture.step(authorized.invoiceId, fixture.captureCommand()),
    )
    expect(capture).toMatchObject({ answer: { kind: 'done' }, payment: { status: 'completed' } })
    for (const invoiceId of [declined.invoiceId, await fixture.makeInvoice()]) {
      const source = invoiceId === declined.invoiceId ? declined.cardId : unused
      expect(await authorize(invoiceId, source)).toMatchObject({
        answer: { code: 'request.source.invalid', message: expect.stringContaining('was erased') },
      })
    }
    const owner = { id: unused, projectId: fixture.projectId, sandbox: true }
    expect(await takeCardForToken(em(), owner, { tokenId: 'tok_b', paidInvoiceId: null, now: new Date() })).toBe(false)
  })
})
