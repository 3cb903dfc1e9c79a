import { createHash } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { keptSecret } from '../../src/api/webhook-endpoints/kept-secret.ts'
import { countEncrypted, findUndecryptable, reencryptAll } from '../../src/keys/re-encryption.ts'
import { CardEntity } from '../../src/persistence/entities/card.ts'
import { CardSecurityCodeEntity } from '../../src/persistence/entities/card-security-code.ts'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { IdempotencyKeyEntity } from '../../src/persistence/entities/idempotency-key.ts'
import { PersonEntity } from '../../src/persistence/entities/person.ts'
import { WebhookEndpointEntity } from '../../src/persistence/entities/webhook-endpoint.ts'
import { WebhookSecretEntity } from '../../src/persistence/entities/webhook-secret.ts'
import { eraseCards } from '../../src/persistence/queries/customers/cards.ts'
import type { KeyRing } from '../../src/vault/keys.ts'
import { createVault, type Vault } from '../../src/vault/vault.ts'
import { makeRows } from '../persistence/rows.ts'
import { TEST_KEYS } from '../support/keys.ts'
import { makePaymentFixture } from '../support/payment-fixture.ts'
import { databaseForFile } from '../support/payment-for-file.ts'

const NUMBER = '4242424242424242'
const ring = (...ids: string[]): KeyRing => {
  const key = (id: string) => TEST_KEYS.cardNumber.keys.get(id) ?? createHash('sha256').update(id).digest()
  return { current: ids.at(-1) ?? '', keys: new Map(ids.map((id) => [id, key(id)])) }
}
const codeRing = (...ids: string[]): KeyRing => ({
  current: ids.at(-1) ?? '',
  keys: new Map(ids.map((id) => [id, TEST_KEYS.securityCode.keys.get(id) ?? createHash('sha256').update(id).digest()])),
})

const database = databaseForFile()
let fixture: Awaited<ReturnType<typeof makePaymentFixture>>
/** With the keys of the rows, and with a new one behind them. */
let before: Vault
let after: Vault

beforeAll(async () => {
  fixture = await makePaymentFixture(database)
  before = createVault(TEST_KEYS)
  after = createVault({ ...TEST_KEYS, cardNumber: ring('n1', 'n2'), securityCode: codeRing('c1', 'c2') })
})
beforeEach(async () => {
  await em().execute('truncate card, webhook_endpoint, idempotency_key cascade')
  await em().execute(
    `update gateway_configuration set credentials_ciphertext = null, credentials_key_id = null, credentials_hash = null`,
  )
})

const em = () => database.orm.em.fork()
const keyIds = async () => new Set((await countEncrypted(em())).map(({ keyId }) => keyId))
const numberOf = async (id: string, vault: Vault) => {
  const { numberCiphertext, numberKeyId } = await em().findOneOrFail(CardEntity, { id })
  return vault.decryptNumber(id, { ciphertext: numberCiphertext as Uint8Array, keyId: String(numberKeyId) })
}
const deps = (vault: Vault = after) => ({ orm: database.orm, vault })

async function makeCards(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) ids.push(await fixture.makeCard())
  return ids
}

/** An endpoint with a secret, and the answer that told it, kept as the interface keeps it. */
async function makeEndpoint(): Promise<{ id: string; keptId: string; answer: string }> {
  const { webhookEndpoint, webhookSecret, idempotencyKey } = makeRows('encrypted')
  const owner = { projectId: fixture.projectId, sandbox: true }
  const { id } = webhookEndpoint
  const secret = 'whsec_bGV0IG1lIGJlIGEgc2VjcmV0IG9mIHRoaXJ0eSBieXRlcyBvciBzbyBhbmQgc29tZSBtb3JlIGJ5dGVzIGJlaGluZA=='
  const encrypted = before.encryptWebhookSecret(id, secret)
  await em().insert(WebhookEndpointEntity, { ...webhookEndpoint, ...owner })
  await em().insert(WebhookSecretEntity, { ...webhookSecret, ...owner, ...encrypted })
  const answer = JSON.stringify({
    success: true,
    webhook_endpoint: { id, description: 'with "secret":["AA==","n9"] in it', secret, created_at: 'now' },
  })
  const body = keptSecret(before).toStored(answer)
  await em().insert(IdempotencyKeyEntity, { ...idempotencyKey, ...owner, body })
  return { id, keptId: idempotencyKey.id, answer }
}

const CREDENTIALS = { secret_key: 'a key of an account', webhook_secret: 'another' }

/** The credentials of the project's account. */
async function makeCredentials(): Promise<string> {
  const { id } = await em().findOneOrFail(GatewayConfigurationEntity, { projectId: fixture.projectId })
  const { ciphertext, keyId, hash } = before.encryptCredentials(id, CREDENTIALS)
  await em().execute(
    `update gateway_configuration set credentials_ciphertext = decode(?, 'base64'), credentials_key_id = ?,
            credentials_hash = ? where id = ?`,
    [Buffer.from(ciphertext).toString('base64'), keyId, hash, id],
  )
  return id
}

describe('re-encryption', () => {
  test('leaves what cannot be opened as it is, says whose it is, and does the rest', async () => {
    const [damaged = '', unknown = '', ...others] = await makeCards(5)
    await em().nativeUpdate(CardEntity, { id: damaged }, { numberCiphertext: Buffer.alloc(40, 1) })
    await em().nativeUpdate(CardEntity, { id: unknown }, { numberKeyId: 'gone' })
    const broken = await reencryptAll(deps())
    expect(broken).toHaveLength(2)
    expect(broken.join()).toContain(`The encrypted card number of ${damaged} was changed, or belongs elsewhere.`)
    expect(broken.join()).toContain('There is no card number key with the id "gone".')
    expect((await em().findOneOrFail(CardEntity, { id: damaged })).numberKeyId).toBe('n1')
    for (const id of others) expect((await em().findOneOrFail(CardEntity, { id })).numberKeyId).toBe('n2')
  })

  test('changes nothing with the keys of another service, which are found out before', async () => {
    const [card = ''] = await makeCards(3)
    const wrong = createVault({
      ...TEST_KEYS,
      cardNumber: { current: 'n2', keys: new Map([...ring('n2').keys, ['n1', Buffer.alloc(32, 9)]]) },
    })
    expect(await findUndecryptable(deps(wrong), await countEncrypted(em()))).toHaveLength(1)
    expect(await reencryptAll(deps(wrong))).toHaveLength(3)
    expect(await numberOf(card, before)).toBe(NUMBER)
    expect(await findUndecryptable(deps(), await countEncrypted(em()))).toEqual([])
  })

  test('takes no keys for wrong ones because one row is damaged', async () => {
    const [damaged = ''] = await makeCards(2)
    await em().nativeUpdate(CardEntity, { id: damaged }, { numberCiphertext: Buffer.alloc(40, 1) })
    expect(await findUndecryptable(deps(), await countEncrypted(em()))).toEqual([])
  })

  test('does not bring back a number that is deleted while its row is looked at', async () => {
    const ids = await makeCards(3)
    const owner = { projectId: fixture.projectId, sandbox: true }
    const deleting = { ...after, reencrypt: (...args: Parameters<Vault['reencrypt']>) => after.reencrypt(...args) }
    let deleted: Promise<void> = Promise.resolve()
    deleting.reencrypt = (context, encrypted) => {
      // It waits for the row, and comes after it is written.
      if (context.ownerId === ids[1]) deleted = eraseCards(em(), owner, [context.ownerId], new Date())
      return after.reencrypt(context, encrypted)
    }
    await reencryptAll(deps(deleting))
    await deleted
    expect(await em().findOneOrFail(CardEntity, { id: String(ids[1]) })).toMatchObject({
      numberCiphertext: null,
      numberKeyId: null,
    })
    expect(await numberOf(ids[0] ?? '', after)).toBe(NUMBER)
  })

  test('leaves a row that somebody holds for the next round, and waits for nobody', async () => {
    // The first in order, so that it has been passed over when it is free.
    const [held = '', other = ''] = (await makeCards(2)).toSorted()
    let release = () => {}
    const locked = Promise.withResolvers<void>()
    const holding = em().transactional(async (inner) => {
      await inner.execute('select id from card where id = ? for update', [held])
      await new Promise<void>((resolve) => {
        release = resolve
        locked.resolve()
      })
    })
    await locked.promise
    const done: string[] = []
    const encrypting = reencryptAll(deps(), ({ done: count, total }) => {
      done.push(`${count} of ${total}`)
      release()
    })
    await encrypting
    await holding
    expect(done).toEqual(['1 of 2', '1 of 1'])
    expect(await numberOf(held, after)).toBe(NUMBER)
    expect(await numberOf(other, after)).toBe(NUMBER)
    expect(await keyIds()).toEqual(new Set(['n2']))
  })

  test('is for everything that is encrypted: nothing in the database needs the old keys afterwards', async () => {
    const [card = ''] = await makeCards(1)
    const owner = { projectId: fixture.projectId, sandbox: true }
    const expiresAt = new Date(Date.now() + 60_000)
    const { ciphertext, keyId } = before.encryptSecurityCode(card, '737')
    await em().insert(CardSecurityCodeEntity, { ...owner, cardId: card, ciphertext, keyId, expiresAt })
    const { id, keptId, answer } = await makeEndpoint()
    const accountId = await makeCredentials()
    const account = await em().findOneOrFail(GatewayConfigurationEntity, { id: accountId })
    const { person } = makeRows('generator')
    const generator = before.encryptCodeSecret(person.id, 'JBSWY3DPEHPK3PXP')
    await em().insert(PersonEntity, {
      ...person,
      totpCiphertext: Buffer.from(generator.ciphertext),
      totpKeyId: generator.keyId,
    })
    const entries = async () => (await em().execute<object[]>('select 1 from audit_entry')).length
    const logged = await entries()
    const earlier = await em().findOneOrFail(CardEntity, { id: card })
    expect(new Set((await countEncrypted(em())).map(({ what }) => what)).size).toBe(6)
    expect(await reencryptAll(deps())).toEqual([])

    const withoutOld = createVault({ ...TEST_KEYS, cardNumber: ring('n2'), securityCode: codeRing('c2') })
    expect(await keyIds()).toEqual(new Set(['n2', 'c2']))
    expect(await numberOf(card, withoutOld)).toBe(NUMBER)
    const code = await em().findOneOrFail(CardSecurityCodeEntity, { cardId: card })
    expect(withoutOld.decryptSecurityCode(card, code)).toBe('737')
    const secret = await em().findOneOrFail(WebhookSecretEntity, { endpointId: id })
    expect(answer).toContain(withoutOld.decryptWebhookSecret(id, secret))
    const kept = await em().findOneOrFail(IdempotencyKeyEntity, { id: keptId })
    expect(keptSecret(withoutOld).fromStored(String(kept.body))).toBe(answer)
    const { totpCiphertext, totpKeyId } = await em().findOneOrFail(PersonEntity, { id: person.id })
    const again = { ciphertext: totpCiphertext as Uint8Array, keyId: String(totpKeyId) }
    expect(withoutOld.decryptCodeSecret(person.id, again)).toBe('JBSWY3DPEHPK3PXP')
    expect((await em().findOneOrFail(CardEntity, { id: card })).updatedAt).toEqual(earlier.updatedAt)
    const reencrypted = await em().findOneOrFail(GatewayConfigurationEntity, { id: accountId })
    expect(withoutOld.decryptCredentials(reencrypted)).toEqual(CREDENTIALS)
    // Nothing has changed that the log is about.
    const { credentialsCiphertext: _, credentialsKeyId, ...rest } = account
    expect(credentialsKeyId).toBe('n1')
    expect(reencrypted).toMatchObject({ ...rest, credentialsKeyId: 'n2' })
    expect(await entries()).toBe(logged)
  })
})
