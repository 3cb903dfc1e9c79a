import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test } from '@jest/globals'
import type { Gateway, GatewayAccess } from '../../src/gateways/gateway.ts'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { eraseCredentials } from '../../src/persistence/queries/retention/retention.ts'
import { createVault } from '../../src/vault/vault.ts'
import { TEST_KEYS } from '../support/keys.ts'
import { databaseForFile, fixtureForFile } from '../support/payment-for-file.ts'
import { createSignedActivities } from '../support/signed-activities.ts'

const CREDENTIALS = { notification_key: 'a key of the test of access' }
const SETTINGS = { timeout_ms: '9000' }
const DAY_MS = 24 * 60 * 60 * 1000

type Access = Pick<GatewayAccess, 'gatewayConfigurationId' | 'credentials' | 'settings'>

const database = databaseForFile()
/** What the adapter was opened with, call by call. */
const seen: Access[] = []

/** The simulator, whose every call is noted. */
function noting(gateway: Gateway): Gateway {
  const note = ({ gatewayConfigurationId, credentials, settings }: Access) =>
    void seen.push({ gatewayConfigurationId, credentials, settings })
  const noted =
    <Request extends Access, Answer>(call: (request: Request, signal: AbortSignal) => Promise<Answer>) =>
    (request: Request, signal: AbortSignal): Promise<Answer> => {
      note(request)
      return call(request, signal)
    }
  return {
    ...gateway,
    authorize: noted(gateway.authorize),
    capture: noted(gateway.capture),
    increment: noted(gateway.increment),
    void: noted(gateway.void),
    refund: noted(gateway.refund),
    lookUp: noted(gateway.lookUp),
  }
}

const fixture = fixtureForFile(database, noting)

let id: string
const em = () => database.orm.em.fork()
const configuration = () => em().findOneOrFail(GatewayConfigurationEntity, { id })

beforeEach(async () => {
  seen.length = 0
  const row = await em().findOneOrFail(GatewayConfigurationEntity, { projectId: fixture.projectId })
  id = row.id
  const { ciphertext, keyId, hash } = fixture.deps.vault.encryptCredentials(id, CREDENTIALS)
  await em().nativeUpdate(
    GatewayConfigurationEntity,
    { id },
    {
      enabled: true,
      deletedAt: null,
      settings: SETTINGS,
      credentialsCiphertext: Buffer.from(ciphertext),
      credentialsKeyId: keyId,
      credentialsHash: hash,
      credentialsSetAt: { notification_key: new Date(0).toISOString() },
    },
  )
})

const pay = async (deps = fixture.deps, card?: string) => {
  const [invoiceId, cardId] = [await fixture.makeInvoice(), await fixture.makeCard(card)]
  const activities = createSignedActivities(deps)
  const step = fixture.step(invoiceId, fixture.authorizeCommand(cardId))
  return { invoiceId, step, activities, result: await activities.authorize(step) }
}

describe('the account that a call goes to', () => {
  test('is opened for every kind of call, and what the activity gives back tells nothing of it', async () => {
    const { invoiceId, activities, result } = await pay()
    const captured = await activities.capture(fixture.step(invoiceId, fixture.captureCommand()))
    const lost = await pay(fixture.deps, '4000000000007007')
    const { operationId } = lost.step.command
    await lost.activities.lookUp({ payment: lost.step.payment, operationId, at: lost.step.at })
    expect(seen).toEqual(
      Array.from({ length: 4 }, () => ({ gatewayConfigurationId: id, credentials: CREDENTIALS, settings: SETTINGS })),
    )
    expect(JSON.stringify([result, captured, lost.result])).not.toContain(CREDENTIALS.notification_key)
  })

  test('that cannot be opened is not asked: nothing is sent, and the payment can be tried again', async () => {
    const keys = {
      ...TEST_KEYS,
      cardNumber: { current: 'n9', keys: new Map([['n9', createHash('sha256').update('n9').digest()]]) },
    }
    const { invoiceId, result } = await pay({ ...fixture.deps, vault: createVault(keys) })
    expect(seen).toEqual([])
    expect(result.answer).toMatchObject({ kind: 'declined', code: 'gateway.network-error' })
    const transaction = await em().findOneOrFail(TransactionEntity, { invoiceId })
    expect(transaction).toMatchObject({ status: 'failed' })
    const rows = await em().find(OperationEntity, {
      transactionId: transaction.id,
      type: 'authorization',
      isAttempt: false,
    })
    expect(rows).toMatchObject([{ outcome: 'failed', gatewayCode: 'CREDENTIALS_NOT_OPENED' }])
  })

  test('that cannot be opened when an outcome is looked up leaves it open', async () => {
    const lost = await pay(fixture.deps, '4000000000007007')
    const before = seen.length
    await em().nativeUpdate(GatewayConfigurationEntity, { id }, { credentialsHash: 'd'.repeat(64) })
    const { operationId } = lost.step.command
    const looked = await lost.activities.lookUp({ payment: lost.step.payment, operationId, at: lost.step.at })
    expect(looked.answer).toEqual({ kind: 'pending' })
    expect(seen).toHaveLength(before)
  })
})

describe('the credentials of a configuration that was deleted', () => {
  const deletedAt = new Date('2026-11-21T09:00:00.000Z')
  const erase = (before: number) =>
    eraseCredentials(em(), { before: new Date(deletedAt.getTime() + before), limit: 10 }, new Date())
  const remove = () => em().nativeUpdate(GatewayConfigurationEntity, { id }, { enabled: false, deletedAt })

  test('capture and refund what is there, and are erased when nothing is open and their time is over', async () => {
    await em().execute('truncate transaction cascade')
    const { invoiceId, activities } = await pay()
    await remove()
    expect(await erase(DAY_MS)).toBe(0)
    expect((await configuration()).credentialsSetAt).not.toEqual({})
    const { answer } = await activities.capture(fixture.step(invoiceId, fixture.captureCommand()))
    expect(answer).toMatchObject({ kind: 'done' })
    expect(seen.map(({ credentials }) => credentials)).toEqual([CREDENTIALS, CREDENTIALS])
    expect(await erase(0)).toBe(0)
    expect(await erase(1)).toBe(1)
    expect(await configuration()).toMatchObject({
      credentialsCiphertext: null,
      credentialsKeyId: null,
      credentialsHash: null,
      credentialsSetAt: {},
      deletedAt,
    })
    expect(await erase(DAY_MS)).toBe(0)
  })
})
