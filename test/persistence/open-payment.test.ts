import { beforeAll, expect, test } from '@jest/globals'
import { CardSecurityCodeEntity } from '../../src/persistence/entities/card-security-code.ts'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { openPayment } from '../../src/persistence/queries/payments/open-payment.ts'
import { transact } from '../../src/persistence/transact.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { insertRows } from './insert-rows.ts'
import { makeRows } from './rows.ts'

const rows = makeRows('a')
const { invoice, card } = rows
const ends = new Date('2026-03-01T12:00:00Z')
const before = new Date(ends.getTime() - 1)

const database = databaseForFile()

beforeAll(async () => {
  const em = database.orm.em.fork()
  await insertRows(em, rows)
  const code = { cardId: card.id, projectId: card.projectId, sandbox: card.sandbox, keyId: 'k', expiresAt: ends }
  await em.nativeDelete(CardSecurityCodeEntity, {})
  await em.insert(CardSecurityCodeEntity, { ...code, ciphertext: Buffer.from('code') })
})

const opening = { projectId: invoice.projectId, sandbox: invoice.sandbox, invoiceId: invoice.id, operationIds: [] }

async function codeAt(now: Date) {
  const { result } = await transact(database.orm, (unit) =>
    openPayment(unit, { ...opening, attemptId: null, authorization: { cardId: card.id, now } }),
  )
  return result?.source?.securityCode?.ciphertext.toString() ?? null
}

test('an authorization reads the security code of its card until the code ends', async () => {
  expect(await codeAt(before)).toBe('code')
  expect(await codeAt(ends)).toBeNull()
})

test('an authorization chooses among the accounts of its environment only', async () => {
  const own = rows.gatewayConfiguration
  const others = { ...own, id: 'gway_conf_other_environment', sandbox: !own.sandbox, gatewayName: 'stripe' }
  await database.orm.em.fork().insert(GatewayConfigurationEntity, others)
  const { result } = await transact(database.orm, (unit) =>
    openPayment(unit, { ...opening, attemptId: null, authorization: { cardId: card.id, now: before } }),
  )
  const ids = result?.gatewayConfigurations.map(({ id }) => id)
  expect(ids).toContain(own.id)
  expect(ids).not.toContain(others.id)
})
