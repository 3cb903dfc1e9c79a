import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { createKeysFile, keysFile, parseKeys, readKeysFile, ringText } from '../../src/keys/keys-file.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-keys-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('the keys file', () => {
  test('is never written over', async () => {
    expect(await createKeysFile(folder)).toBe(true)
    const before = await readFile(keysFile(folder), 'utf8')
    expect(await createKeysFile(folder)).toBe(false)
    expect(await readFile(keysFile(folder), 'utf8')).toBe(before)
    expect(await readdir(folder)).toEqual(['keys.json'])
  })

  test('is one and the same for all who make it at once', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => createKeysFile(folder)))
    expect(made.filter(Boolean)).toHaveLength(1)
    expect(await readdir(folder)).toEqual(['keys.json'])
  })

  test.each([
    ['cut off', (text: string) => text.slice(0, 40)],
    ['without one of the keys', (text: string) => text.replace('FINGERPRINT_KEY', 'OTHER')],
    ['empty', () => ''],
    ['of another kind', () => '[]'],
  ])('is an error, and not replaced, when it is %s', async (_, damage) => {
    await createKeysFile(folder)
    const damaged = damage(await readFile(keysFile(folder), 'utf8'))
    await writeFile(keysFile(folder), damaged)
    await expect(readKeysFile(folder)).rejects.toThrow('is damaged')
    expect(await readFile(keysFile(folder), 'utf8')).toBe(damaged)
  })

  test('is an error that says what to do where this user may not read it', async () => {
    await createKeysFile(folder)
    await chmod(keysFile(folder), 0)
    const isRoot = process.geteuid?.() === 0
    if (isRoot) process.seteuid?.('nobody')
    const reading = readKeysFile(folder).finally(() => isRoot && process.seteuid?.(0))
    await expect(reading).rejects.toThrow('give it to the user that the service runs as')
  })

  test('can be read by its owner only', async () => {
    await createKeysFile(folder)
    expect((await stat(keysFile(folder))).mode & 0o777).toBe(0o600)
  })

  test.each(['7,b2,10', '__proto__,a1', '10340982,0166a9e2'])('keeps the keys of a ring in their order, %s', (ids) => {
    const key = randomBytes(32).toString('base64')
    const ring = ids.split(',').map((id) => `${id}:${randomBytes(32).toString('base64')}`)
    const single = { FINGERPRINT_KEY: key, API_SECRET_HASH_KEY: key, CLIENT_SECRET_KEY: key }
    const read = parseKeys({
      CARD_NUMBER_KEYS: ring.join(','),
      SECURITY_CODE_KEYS: ring.join(','),
      PAYLOAD_KEYS: ring.join(','),
      ...single,
    })
    if (!('keys' in read)) throw new Error('The keys were not read.')
    expect(ringText(read.keys.cardNumber)).toBe(ring.join(','))
    expect(read.keys.cardNumber.current).toBe(ids.split(',').at(-1))
  })
})
