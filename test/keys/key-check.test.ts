import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { writeCheckpoints } from '../../src/audit/write-checkpoints.ts'
import { systemClock } from '../../src/clock.ts'
import { checkKeysOf } from '../../src/keys/key-check.ts'
import { findKeyProofs } from '../../src/persistence/queries/encrypted/service-keys.ts'
import { StartupError } from '../../src/startup-error.ts'
import { proveKeys } from '../../src/vault/key-proofs.ts'
import type { KeyRing, Keys } from '../../src/vault/keys.ts'
import { createVault } from '../../src/vault/vault.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'
import { TEST_KEYS } from '../support/keys.ts'
import { makePaymentFixture } from '../support/payment-fixture.ts'

const key = (name: string) => createHash('sha256').update(`another ${name}`).digest()

/** The ring with a key before the others: known, not current. */
const withKey = ({ current, keys }: KeyRing, id: string): KeyRing => ({
  current,
  keys: new Map([[id, key(id)], ...keys]),
})
const onlyKey = (id: string, bytes = key(id)): KeyRing => ({ current: id, keys: new Map([[id, bytes]]) })

/** Of another service altogether, with ids of its own. */
const OTHERS: Keys = {
  cardNumber: onlyKey('n9'),
  securityCode: onlyKey('c9'),
  payload: onlyKey('p9'),
  fingerprint: key('fingerprint'),
  apiSecretHash: key('api secret hash'),
  clientSecret: key('client secret'),
}

let database: TestDatabase

beforeEach(async () => {
  database = await makeDatabase()
})
afterEach(() => database.drop())

const check = (keys: Keys) => checkKeysOf(database.orm, keys)
const proofs = () => findKeyProofs(database.orm.em.fork())
const makeCard = async () => (await makePaymentFixture(database)).makeCard()

async function expectRefused(keys: Keys, names: string): Promise<void> {
  const before = await database.dump()
  const refused = await check(keys).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(StartupError)
  expect((refused as Error).message).toContain(
    `These are not the keys of this database: ${names}. Nothing was changed.`,
  )
  expect(await database.dump()).toBe(before)
}

describe('the keys of a database', () => {
  test('are those of its first process, and others are refused by their names, with nothing written', async () => {
    await check(TEST_KEYS)
    expect(await proofs()).toEqual(proveKeys(TEST_KEYS))
    await expectRefused(
      OTHERS,
      'FINGERPRINT_KEY; API_SECRET_HASH_KEY; CLIENT_SECRET_KEY; CARD_NUMBER_KEYS; SECURITY_CODE_KEYS; PAYLOAD_KEYS',
    )
    await expectRefused({ ...TEST_KEYS, apiSecretHash: OTHERS.apiSecretHash }, 'API_SECRET_HASH_KEY')
    await expectRefused({ ...TEST_KEYS, cardNumber: onlyKey('n1') }, 'CARD_NUMBER_KEYS n1')
    await expectRefused({ ...TEST_KEYS, securityCode: OTHERS.securityCode }, 'SECURITY_CODE_KEYS')
    await check(TEST_KEYS)
  })

  test('are those of one process where two with different keys start at the same time', async () => {
    const results = await Promise.allSettled([check(TEST_KEYS), check(OTHERS)])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const winner = results[0].status === 'fulfilled' ? TEST_KEYS : OTHERS
    expect(await proofs()).toEqual(proveKeys(winner))
  })

  test('get a new one beside one that is known, also while other processes do not know it', async () => {
    await check(TEST_KEYS)
    const rotating = { ...TEST_KEYS, cardNumber: withKey(TEST_KEYS.cardNumber, 'n2') }
    await check(rotating)
    expect([...(await proofs()).keys()]).toContain('CARD_NUMBER_KEYS n2')
    await check(TEST_KEYS)
    await check({ ...rotating, cardNumber: { ...rotating.cardNumber, current: 'n2' } })
    await expectRefused({ ...TEST_KEYS, cardNumber: onlyKey('n2', key('another n2')) }, 'CARD_NUMBER_KEYS n2')
  })

  test('are not those of a process that lacks one that is needed', async () => {
    await makeCard()
    await check({ ...TEST_KEYS, cardNumber: withKey(TEST_KEYS.cardNumber, 'n2') })
    await expectRefused(
      { ...TEST_KEYS, cardNumber: onlyKey('n2') },
      'CARD_NUMBER_KEYS lacks n1, which 1 card number needs',
    )
  })
})

describe('a database of before there were proofs', () => {
  test('takes no keys that lack one of its cards, or open none of them', async () => {
    await makeCard()
    await expectRefused(OTHERS, 'CARD_NUMBER_KEYS lacks n1, which 1 card number needs')
    await expectRefused({ ...TEST_KEYS, cardNumber: onlyKey('n1') }, 'CARD_NUMBER_KEYS n1')
    await check(TEST_KEYS)
    expect(await proofs()).toEqual(proveKeys(TEST_KEYS))
  })

  test('takes no keys with which the checkpoints of its audit log were not made', async () => {
    await makePaymentFixture(database)
    await writeCheckpoints({ orm: database.orm, vault: createVault(TEST_KEYS), clock: systemClock })
    await expectRefused(OTHERS, 'FINGERPRINT_KEY')
    await check(TEST_KEYS)
  })

  test('takes its own keys although one checkpoint of its audit log is damaged', async () => {
    for (let times = 0; times < 2; times += 1) {
      await makePaymentFixture(database)
      await writeCheckpoints({ orm: database.orm, vault: createVault(TEST_KEYS), clock: systemClock })
    }
    await database.orm.em.fork().transactional(async (em) => {
      await em.execute('set local session_replication_role = replica')
      await em.execute(
        'update audit_checkpoint set hash = sha256(hash) where made_at = (select min(made_at) from audit_checkpoint)',
      )
    })
    await check(TEST_KEYS)
  })
})
