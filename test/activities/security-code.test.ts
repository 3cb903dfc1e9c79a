import { beforeEach, expect, test } from '@jest/globals'
import { beginAttempt } from '../../activities/payment/begin-attempt.ts'
import { CardSecurityCodeEntity } from '../../src/persistence/entities/card-security-code.ts'
import { databaseForFile, fixtureForFile } from '../support/payment-for-file.ts'
import { createSignedActivities } from '../support/signed-activities.ts'

const database = databaseForFile()
let sent: (string | null | undefined)[] = []

const fixture = fixtureForFile(database, (gateway) => ({
  ...gateway,
  authorize(request, signal) {
    sent.push(request.card?.cvc)
    return gateway.authorize(request, signal)
  },
}))
beforeEach(() => {
  sent = []
})

/** @param endsInMs how long the security code is still good for; its end counts as over */
const prepare = async (endsInMs: number) => {
  const invoiceId = await fixture.makeInvoice()
  const cardId = await fixture.makeCard()
  const { clock, vault } = fixture.deps
  const { ciphertext, keyId } = vault.encryptSecurityCode(cardId, '737')
  await database.orm.em.fork().insert(CardSecurityCodeEntity, {
    ...{ cardId, projectId: fixture.projectId, sandbox: true, ciphertext, keyId },
    expiresAt: new Date(clock.now().getTime() + endsInMs),
  })
  return fixture.step(invoiceId, fixture.authorizeCommand(cardId))
}
const activities = () => createSignedActivities(fixture.deps)

test.each([
  ['good', 60_000, '737'],
  ['over', -1, null],
])('a security code that is %s is sent with the first call or not', async (_, endsInMs, cvc) => {
  await activities().authorize(await prepare(endsInMs))
  expect(sent).toEqual([cvc])
})

test.each([
  ['good', 60_000, '737'],
  ['over', -1, null],
])('a security code that is %s is sent by a second run of the step or not', async (_, endsInMs, cvc) => {
  const step = await prepare(endsInMs)
  await beginAttempt(fixture.deps, step)
  await activities().authorize(step)
  expect(sent).toEqual([cvc])
})
