import { createHook } from 'node:async_hooks'
import { argon2Sync } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { hashPassword, isPassword, makePassword } from '../../src/vault/password.ts'
import { seededRandomBytes } from '../support/random.ts'

/** What is computed aside while this goes on: what takes the time of a password. */
async function jobsOf(work: () => Promise<unknown>): Promise<string[]> {
  const types: string[] = []
  const hook = createHook({ init: (_, type) => void types.push(type) }).enable()
  try {
    await work()
  } finally {
    hook.disable()
  }
  return types.filter((type) => type.endsWith('REQUEST'))
}

describe('a password', () => {
  test('is stored as Argon2id with a salt of its own, at a cost that OWASP recommends', async () => {
    const [one, other] = await Promise.all([hashPassword('a long password'), hashPassword('a long password')])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(other).not.toBe(one)
    const [, , , , salt = '', tag = ''] = one.split('$')
    const expected = argon2Sync('argon2id', {
      message: 'a long password',
      nonce: Buffer.from(salt, 'base64'),
      memory: 19_456,
      passes: 2,
      parallelism: 1,
      tagLength: 32,
    })
    expect(Buffer.from(tag, 'base64').equals(expected)).toBe(true)
  })

  test('is known again, and no other one is', async () => {
    const stored = await hashPassword('pässword of Ada')
    expect(await isPassword('pässword of Ada', stored)).toBe(true)
    // With the dots of the ä as a sign of their own, as some keyboards send it.
    expect(await isPassword('pa\u0308ssword of Ada', stored)).toBe(true)
    for (const other of ['pässword of ada', 'pässword of Ada ', '', 'pässword of Ad\0a'])
      expect([other, await isPassword(other, stored)]).toEqual([other, false])
  })

  test('stored at another cost is known again', async () => {
    const salt = Buffer.alloc(16, 7)
    const cheap = { memory: 64, passes: 1, parallelism: 1 }
    const tag = argon2Sync('argon2id', { ...cheap, message: 'old', nonce: salt, tagLength: 32 })
    const stored = `$argon2id$v=19$m=64,t=1,p=1$${salt.toString('base64').replace(/=+$/, '')}$${tag.toString('base64').replace(/=+$/, '')}`
    expect([await isPassword('old', stored), await isPassword('new', stored)]).toEqual([true, false])
  })

  test('of nobody is wrong, and is hashed all the same, so that its time tells nothing', async () => {
    const stored = await hashPassword('a long password')
    expect(await isPassword('a wrong password', null)).toBe(false)
    expect(await jobsOf(() => isPassword('a wrong password', stored))).toEqual(['ARGON2REQUEST'])
    expect(await jobsOf(() => isPassword('a wrong password', null))).toEqual(['ARGON2REQUEST'])
  })

  test('that is made for somebody has 20 random letters and digits', () => {
    const random = seededRandomBytes('passwords')
    const made = [makePassword(random), makePassword(random)]
    for (const password of made) expect(password).toMatch(/^[0-9A-Za-z]{20}$/)
    expect(made[0]).not.toBe(made[1])
  })
})
