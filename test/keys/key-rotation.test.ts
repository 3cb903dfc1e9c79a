import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import {
  addNextKey,
  addPayloadKeys,
  hasNextKey,
  makeNextKeyCurrent,
  removeKey,
  restoreKey,
} from '../../src/keys/key-rotation.ts'
import { createKeysFile, keysFile, readKeysFile } from '../../src/keys/keys-file.ts'
import type { Keys } from '../../src/vault/keys.ts'
import { createVault } from '../../src/vault/vault.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-rotation-'))
  await createKeysFile(folder)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const read = async (): Promise<Keys> => (await readKeysFile(folder)) as Keys

describe('a new key', () => {
  test('encrypts nothing before it is current, and decrypts from the moment that it is known', async () => {
    const unaware = createVault(await read())
    const id = await addNextKey(folder)
    const aware = createVault(await read())
    expect(aware.currentKeyId('card number')).toBe(unaware.currentKeyId('card number'))
    expect(aware.currentKeyId('security code')).toBe(unaware.currentKeyId('security code'))

    await makeNextKeyCurrent(folder)
    const encrypting = createVault(await read())
    const encrypted = encrypting.encryptNumber('card_a', '4242424242424242')
    expect(encrypted.keyId).toBe(id)
    expect(encrypting.encryptSecurityCode('card_a', '737').keyId).toBe(id)
    expect(encrypting.currentKeyId('payload')).toBe(id)
    expect(aware.decryptNumber('card_a', encrypted)).toBe('4242424242424242')
    expect(encrypting.decryptNumber('card_a', unaware.encryptNumber('card_a', '4242424242424242'))).toBe(
      '4242424242424242',
    )
  })

  test('is made once, however often a rotation is begun before it is current', async () => {
    const id = await addNextKey(folder)
    const text = await readFile(keysFile(folder), 'utf8')
    expect(await addNextKey(folder)).toBe(id)
    expect(await readFile(keysFile(folder), 'utf8')).toBe(text)
    expect(await hasNextKey(folder)).toBe(true)
    await makeNextKeyCurrent(folder)
    expect(await hasNextKey(folder)).toBe(false)
    await makeNextKeyCurrent(folder)
    expect((await read()).cardNumber.current).toBe(id)
    expect(await addNextKey(folder)).not.toBe(id)
  })

  test('changes nothing else of the file, and leaves it to its owner alone', async () => {
    const before = { ...JSON.parse(await readFile(keysFile(folder), 'utf8')), NOTE: 'of the operator' }
    await writeFile(keysFile(folder), JSON.stringify(before))
    await addNextKey(folder)
    await makeNextKeyCurrent(folder)
    const { CARD_NUMBER_KEYS: _, SECURITY_CODE_KEYS: __, PAYLOAD_KEYS: ___, ...others } = before
    expect(JSON.parse(await readFile(keysFile(folder), 'utf8'))).toMatchObject(others)
    expect((await stat(keysFile(folder))).mode & 0o777).toBe(0o600)
    expect(await readdir(folder)).toEqual(['keys.json'])
  })
})

describe('a file of before there were PAYLOAD_KEYS', () => {
  test('is given a ring of them, once, and keeps all else', async () => {
    const { PAYLOAD_KEYS: _, ...before } = JSON.parse(await readFile(keysFile(folder), 'utf8'))
    await writeFile(keysFile(folder), JSON.stringify(before))
    expect(await addPayloadKeys(folder)).toBe(true)
    const text = await readFile(keysFile(folder), 'utf8')
    expect(JSON.parse(text)).toMatchObject(before)
    expect((await read()).payload.keys.size).toBe(1)
    expect(await addPayloadKeys(folder)).toBe(false)
    expect(await readFile(keysFile(folder), 'utf8')).toBe(text)
  })
})

describe('a key that is removed', () => {
  test('is never the only one of a ring', async () => {
    const text = await readFile(keysFile(folder), 'utf8')
    const { current } = (await read()).cardNumber
    await expect(removeKey(folder, current)).rejects.toThrow('would be damaged; it was left as it is')
    expect(await readFile(keysFile(folder), 'utf8')).toBe(text)
  })

  test('can be put back, known and not current', async () => {
    const old = (await read()).cardNumber
    const id = await addNextKey(folder)
    await makeNextKeyCurrent(folder)
    const removed = await removeKey(folder, old.current)
    expect([...(await read()).cardNumber.keys.keys()]).toEqual([id])
    await restoreKey(folder, removed)
    const { cardNumber } = await read()
    expect(cardNumber.current).toBe(id)
    expect(cardNumber.keys.get(old.current)).toEqual(old.keys.get(old.current))
  })
})
