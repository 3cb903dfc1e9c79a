import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test } from '@jest/globals'
import { GatewayConfigurationEntity } from '../../../src/persistence/entities/gateway-configuration.ts'
import { eraseCredentials } from '../../../src/persistence/queries/retention/retention.ts'
import { createVault } from '../../../src/vault/vault.ts'
import { TEST_KEYS } from '../../support/keys.ts'
import { DAY_MS, paymentsForFile } from '../payments.ts'

const CREDENTIALS = { notification_key: 'a key of the test of access' }
const SETTINGS = { timeout_ms: '9000' }
/** Approved, but the answer gets lost. */
const LOST_CARD = '4000000000007007'

const payments = paymentsForFile()
let id: string

const changeAccount = (values: object) => payments.em().nativeUpdate(GatewayConfigurationEntity, { id }, values)
/** What the adapter was opened with, call by call. */
const accesses = () =>
  payments.gateway.asked.map(({ request: { gatewayConfigurationId, credentials, settings } }) => ({
    ...{ gatewayConfigurationId, credentials, settings },
  }))

beforeEach(async () => {
  id = (await payments.account()).id
  const { ciphertext, keyId, hash } = payments.deps.vault.encryptCredentials(id, CREDENTIALS)
  await changeAccount({
    ...{ enabled: true, deletedAt: null, settings: SETTINGS },
    ...{ credentialsCiphertext: Buffer.from(ciphertext), credentialsKeyId: keyId, credentialsHash: hash },
    credentialsSetAt: { notification_key: new Date(0).toISOString() },
  })
})

describe('the account that a call goes to', () => {
  test('is opened for every kind of call, and what the activity gives back tells nothing of it', async () => {
    const { invoiceId, result } = await payments.authorize()
    const captured = await payments.step(invoiceId, payments.build.capture())
    const lost = await payments.authorize({ card: LOST_CARD })
    await payments.lookUp(lost.invoiceId, lost.operationId)
    const access = { gatewayConfigurationId: id, credentials: CREDENTIALS, settings: SETTINGS }
    expect(payments.gateway.asked.map(({ call }) => call)).toEqual(['authorize', 'capture', 'authorize', 'lookUp'])
    expect(accesses()).toEqual([access, access, access, access])
    expect(JSON.stringify([result, captured, lost.result])).not.toContain(CREDENTIALS.notification_key)
  })

  test('that cannot be opened is not asked: nothing is sent, and the payment can be tried again', async () => {
    const otherKey = { current: 'n9', keys: new Map([['n9', createHash('sha256').update('n9').digest()]]) }
    const { authorize } = payments.activitiesWith({ vault: createVault({ ...TEST_KEYS, cardNumber: otherKey }) })
    const invoiceId = await payments.makeInvoice()
    const command = payments.build.authorize(await payments.makeCard())
    const result = await authorize(payments.stepOf(invoiceId, command))
    expect(payments.gateway.asked).toEqual([])
    expect(result.answer).toMatchObject({ kind: 'declined', code: 'gateway.network-error' })
    expect(await payments.transactionOf(invoiceId)).toMatchObject({ status: 'failed' })
    expect(await payments.resultsOf(command.operationId)).toMatchObject([
      { outcome: 'failed', gatewayCode: 'CREDENTIALS_NOT_OPENED' },
    ])
  })

  test('that cannot be opened when an outcome is looked up leaves it open', async () => {
    const { invoiceId, operationId } = await payments.authorize({ card: LOST_CARD })
    const before = payments.gateway.asked.length
    await changeAccount({ credentialsHash: 'd'.repeat(64) })
    expect((await payments.lookUp(invoiceId, operationId)).answer).toEqual({ kind: 'pending' })
    expect(payments.gateway.asked).toHaveLength(before)
  })
})

test('the credentials of a deleted account capture what is there, and are erased when nothing is open and their time is over', async () => {
  const deletedAt = new Date('2026-11-21T09:00:00.000Z')
  const eraseAfter = (ms: number) =>
    eraseCredentials(payments.em(), { before: new Date(deletedAt.getTime() + ms), limit: 10 }, new Date())
  await payments.em().execute('truncate transaction cascade')
  const { invoiceId } = await payments.authorized()
  await changeAccount({ enabled: false, deletedAt })
  expect(await eraseAfter(DAY_MS)).toBe(0)
  expect((await payments.account()).credentialsSetAt).not.toEqual({})
  expect((await payments.step(invoiceId, payments.build.capture())).answer).toEqual({ kind: 'done' })
  expect(accesses().map(({ credentials }) => credentials)).toEqual([CREDENTIALS, CREDENTIALS])
  expect(await eraseAfter(0)).toBe(0)
  expect(await eraseAfter(1)).toBe(1)
  expect(await payments.account()).toMatchObject({
    ...{ credentialsCiphertext: null, credentialsKeyId: null, credentialsHash: null, credentialsSetAt: {}, deletedAt },
  })
  expect(await eraseAfter(DAY_MS)).toBe(0)
})
