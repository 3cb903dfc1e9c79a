import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { addNextKey, makeNextKeyCurrent } from '../../src/keys/key-rotation.ts'
import { createKeysFile, keysFile, readKeysFile } from '../../src/keys/keys-file.ts'
import { followKeys } from '../../src/keys/process-keys.ts'
import type { StopStep } from '../../src/shutdown.ts'
import type { Keys } from '../../src/vault/keys.ts'
import { createVault } from '../../src/vault/vault.ts'
import { type CapturedLog, captureLog } from '../support/captured-log.ts'
import { waitFor } from '../support/wait-for.ts'

const INTERVAL_MS = 10
/** Many looks. */
const A_WHILE_MS = 200

let folder: string
let log: CapturedLog
const steps: StopStep[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-keys-'))
  log = captureLog()
  await createKeysFile(folder)
})
afterEach(async () => {
  for (const step of steps.splice(0)) await step.stop()
  await rm(folder, { recursive: true, force: true })
})

/** The keys of a process that has just started. */
async function follow(given: { keys?: Keys } = {}): Promise<Keys> {
  const keys = (await readKeysFile(folder)) as Keys
  const shutdown = { add: (step: StopStep) => void steps.push(step) } as never
  const options = { logger: log.logger, shutdown, intervalMs: INTERVAL_MS }
  return followKeys({ keys: given.keys, dataFolder: folder }, keys, options)
}

/** Puts another text in the place of the file at once: half of it, which a look may meet, is another fault. */
async function replaceKeysFile(text: string): Promise<void> {
  const prepared = join(folder, 'prepared.json')
  await writeFile(prepared, text)
  await rename(prepared, keysFile(folder))
}

const errors = () =>
  log
    .text()
    .split('\n')
    .filter((line) => line.includes('"level":50'))

describe('a process that runs', () => {
  test.each([
    ['broken', (text: string) => text.slice(0, 50), 'is damaged'],
    ['of another service', (text: string) => text.replace(/(FINGERPRINT_KEY": ")..../, '$1AAAA'), 'fingerprint'],
    [
      'with another key of the hashes of secret keys',
      (text: string) => text.replace(/(API_SECRET_HASH_KEY": ")..../, '$1AAAA'),
      'apiSecretHash',
    ],
    [
      'with another key of client secrets',
      (text: string) => text.replace(/(CLIENT_SECRET_KEY": ")..../, '$1AAAA'),
      'clientSecret',
    ],
    [
      'without the key that is in use',
      (text: string) => text.replace(/(CARD_NUMBER_KEYS": ")\w+/, '$1other'),
      'cardNumber',
    ],
    [
      'with another key under the same id',
      (text: string) => text.replace(/(CARD_NUMBER_KEYS": "\w+:)..../, '$1AAAA'),
      'cardNumber',
    ],
  ])('keeps its keys when the file is %s, and says so once, without a key', async (_, damage, sentence) => {
    const keys = await follow()
    const vault = createVault(keys)
    const encrypted = vault.encryptNumber('card_a', '4242424242424242')
    const right = await readFile(keysFile(folder), 'utf8')
    await replaceKeysFile(damage(right))
    await waitFor(() => errors().length > 0)
    await sleep(A_WHILE_MS)
    expect(errors()).toHaveLength(1)
    expect(errors()[0]).toContain(sentence)
    expect(vault.decryptNumber('card_a', encrypted)).toBe('4242424242424242')
    for (const [, key = ''] of right.matchAll(/([A-Za-z0-9+/]{43}=)/g)) expect(log.text()).not.toContain(key)

    await replaceKeysFile(right)
    const id = await addNextKey(folder)
    await waitFor(() => keys.cardNumber.keys.has(id))
  })

  test('does not look at the file when its keys are those of the environment', async () => {
    const given = (await readKeysFile(folder)) as Keys
    const keys = await follow({ keys: given })
    await addNextKey(folder)
    await sleep(A_WHILE_MS)
    expect(keys).toEqual(given)
    expect(steps).toHaveLength(0)
  })

  test('takes over a new key, and tells of it by its id', async () => {
    const keys = await follow()
    const vault = createVault(keys)
    const id = await addNextKey(folder)
    await waitFor(() => keys.cardNumber.keys.has(id) && keys.securityCode.keys.has(id))
    expect(vault.currentKeyId('card number')).not.toBe(id)
    await makeNextKeyCurrent(folder)
    await waitFor(() => vault.currentKeyId('card number') === id && vault.currentKeyId('security code') === id)
    expect(vault.encryptWebhookSecret('ep_a', 'whsec_a').keyId).toBe(id)
    expect(vault.currentKeyId('payload')).toBe(id)
    expect(log.text()).toContain(`"current":"${id}"`)
    for (const key of keys.cardNumber.keys.values()) expect(log.text()).not.toContain(key.toString('base64'))
    expect(errors()).toEqual([])
  })
})
