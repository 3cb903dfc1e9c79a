import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { freePort } from '../../src/embedded/ports.ts'
import { readKeysFile } from '../../src/keys/keys-file.ts'
import { countEncrypted, reencryptAll } from '../../src/keys/re-encryption.ts'
import { createOrm, type Orm } from '../../src/persistence/orm.ts'
import type { Keys } from '../../src/vault/keys.ts'
import { createVault } from '../../src/vault/vault.ts'
import { type Launched, launch, type Machine, makeMachine, run } from '../journeys/launched.ts'
import { createHttpClient, type HttpClient } from '../support/http-client.ts'

/** The start of every server, and two rotations with their waits. */

/** Between the payments of one client: often enough that some of them meet every step of a rotation. */
const PAUSE_MS = 300

let machine: Machine
let second: Launched
let orm: Orm
/** The same project over two processes. */
let clients: HttpClient[]

beforeAll(async () => {
  machine = await makeMachine()
  await machine.start()
  const {
    base_url: _,
    project_id: username = '',
    secret_key: password = '',
    temporal_address,
  } = await machine.sandbox()
  const port = String(await freePort())
  second = launch('src/api.ts', {
    DATA_DIR: machine.dataFolder,
    DATABASE_URL: await machine.databaseUrl(),
    TEMPORAL_ADDRESS: String(temporal_address),
    PORT: port,
  })
  await second.printed('"ready"')
  clients = [await machine.client(), createHttpClient(`http://127.0.0.1:${port}`, { username, password })]
  orm = await createOrm({ databaseUrl: await machine.databaseUrl(), poolMax: 2 })
})
afterAll(async () => {
  await orm?.close(true)
  second?.kill('SIGTERM')
  await second?.exited()
  await machine?.remove()
})

const admin = (...args: string[]) => run('src/admin.ts', args, machine.environment)
const keysNow = async (): Promise<Keys> => (await readKeysFile(machine.dataFolder)) as Keys
const encryptedNow = () => countEncrypted(orm.em.fork())

/** Client number n; they take turns, so that one process decrypts what another encrypts. */
const client = (n: number): HttpClient => clients[n % clients.length] as HttpClient

const CARD = { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc2: '737' }

async function newCard(n: number): Promise<string> {
  const { status, body } = await client(n).post('/cards', CARD)
  expect(status).toBe(200)
  return body.card.id
}

async function pay(n: number, source: string): Promise<void> {
  const invoice = await client(n).post('/invoices', { name: 'Coffee', amount: '4.50', currency: 'EUR' })
  expect(invoice.status).toBe(200)
  const { status, body } = await client(n).post(`/invoices/${invoice.body.invoice.id}/authorize`, { source })
  expect({ status, transaction: body.transaction?.status }).toEqual({ status: 200, transaction: 'authorized' })
}

const NEW_ENDPOINT = { url: 'https://shop.example/hooks', enabled: false }
const NAMED = { headers: { 'Idempotency-Key': 'endpoint-of-the-rotation' } }

describe('a rotation of the keys', () => {
  test('under load fails no request and loses no card, and leaves nothing under the old keys', async () => {
    const before = await keysNow()
    const told = await client(0).post('/webhook-endpoints', NEW_ENDPOINT, NAMED)
    expect(told.status).toBe(200)
    const early = await Promise.all(Array.from({ length: 20 }, (_, n) => newCard(n)))
    const customer = await client(0).post('/customers', {})
    const stored = await client(1).post(`/customers/${customer.body.customer.id}/tokens`, { source: early.pop() })
    expect(stored.status).toBe(200)

    const under = { load: true }
    const kept: string[] = []
    const load = Promise.all(
      [0, 1].map(async (n) => {
        let payments = 0
        for (; under.load; payments += 1) {
          const card = await newCard(n + payments)
          await pay(n + payments + 1, card)
          if (payments % 3 === 0) kept.push(await newCard(n + payments))
          await pay(n + payments, stored.body.token.id)
          await sleep(PAUSE_MS)
        }
        return payments
      }),
    )
    const rotating = admin('encryption-keys', 'rotate', '--wait', '5').finally(() => {
      under.load = false
    })
    const payments = await load
    const printed = await rotating
    // Both loops were at it meanwhile, however busy the machine is.
    expect(Math.min(...payments)).toBeGreaterThan(0)

    const after = await keysNow()
    const newId = after.cardNumber.current
    expect([...before.cardNumber.keys.keys()]).not.toContain(newId)
    expect(after.securityCode.current).toBe(newId)
    expect(after.payload.current).toBe(newId)
    expect(after.fingerprint).toEqual(before.fingerprint)
    expect(printed).toMatch(
      /^Everything is encrypted with the current keys\.$.*--payload-keys FILE, then restart it\.\n$/ms,
    )
    expect(new Set((await encryptedNow()).map(({ keyId }) => keyId))).toEqual(new Set([newId]))
    expect((await encryptedNow()).map(({ what }) => what)).toEqual(
      expect.arrayContaining(['card numbers', 'webhook secrets', 'kept answers']),
    )

    for (const old of [before.cardNumber.current, before.securityCode.current]) {
      expect(await admin('encryption-keys', 'retire', old, '--wait', '5')).toContain(`${old} is retired.`)
    }
    expect([...(await keysNow()).cardNumber.keys.keys()]).toEqual([newId])
    // The histories of all these payments need it.
    await expect(admin('encryption-keys', 'retire', before.payload.current)).rejects.toMatchObject({
      stderr: expect.stringMatching(
        /stays in PAYLOAD_KEYS: \d+ histor(?:y|ies) that began before it was replaced may need it/,
      ),
    })
    expect((await keysNow()).payload.keys.has(before.payload.current)).toBe(true)
    for (const [n, card] of [...early, ...kept].entries()) await pay(n, card)
    await pay(0, stored.body.token.id)
    expect(await client(1).post('/webhook-endpoints', NEW_ENDPOINT, NAMED)).toMatchObject({ body: told.body })

    const acts = await orm.em.execute<{ kind: string; facts: string }[]>(
      "select kind, facts from audit_entry where chain = 'service' and kind like 'keys.%' order by position",
    )
    expect(acts.map(({ kind }) => kind)).toEqual(['keys.rotated', 'keys.retired', 'keys.retired'])
    expect(acts[0]?.facts).toContain(newId)
    for (const { cardNumber, securityCode, payload } of [before, after]) {
      for (const key of [cardNumber, securityCode, payload].flatMap(({ keys }) => [...keys.values()])) {
        expect(`${JSON.stringify(acts)} ${printed}`).not.toContain(key.toString('base64'))
      }
    }
  })

  test('that was interrupted at any point goes on when it is run again, with the key that it has made', async () => {
    const ids = async () => [...(await keysNow()).cardNumber.keys.keys()]
    const [first = ''] = await ids()
    const card = await newCard(0)
    const killed = async (text: string) => {
      const rotating = launch('src/admin.ts', machine.environment, ['encryption-keys', 'rotate', '--wait', '5'])
      await rotating.printed(text)
      rotating.kill('SIGKILL')
      await rotating.exited()
    }
    await killed('Added the key')
    const [next = ''] = await ids()
    expect(await ids()).toEqual([next, first])
    expect((await keysNow()).cardNumber.current).toBe(first)
    await expect(admin('encryption-keys', 'retire', next)).rejects.toMatchObject({
      stderr: expect.stringContaining('A rotation has begun.'),
    })
    // What is encrypted with another key already, as by a process with keys of its own, is no reason to leave the new one.
    const { cardNumber, ...others } = await keysNow()
    const early = createVault({ ...others, cardNumber: { ...cardNumber, current: next } })
    await reencryptAll({ orm, vault: early }, () => undefined)
    await newCard(1)
    await killed(`${next} is current`)
    expect(await ids()).toEqual([first, next])
    // The processes need not have read it yet.
    await pay(1, await newCard(0))
    await expect(admin('encryption-keys', 'retire', first)).rejects.toMatchObject({
      stderr: expect.stringMatching(new RegExp(`${first} is needed for \\d+ card numbers?`)),
    })
    await expect(admin('encryption-keys', 'retire', next)).rejects.toMatchObject({
      stderr: expect.stringContaining(`${next} is a current key.`),
    })
    expect(await admin('encryption-keys', 'rotate', '--wait', '5')).toContain('no new key is made')
    expect(await ids()).toEqual([first, next])
    expect(new Set((await encryptedNow()).map(({ keyId }) => keyId))).toEqual(new Set([next]))
    await pay(1, card)
    expect(await admin('encryption-keys', 'status')).toMatch(new RegExp(`${first} +CARD_NUMBER_KEYS +known +nothing`))
  })

  test('with keys in the environment makes no key, and encrypts everything with the last one there', async () => {
    const before = JSON.parse(await readFile(join(machine.dataFolder, 'keys.json'), 'utf8'))
    const added = `added:${Buffer.alloc(32, 5).toString('base64')}`
    const ring = (name: string) => `${before[name]},${added}`
    const environment = {
      ...before,
      CARD_NUMBER_KEYS: ring('CARD_NUMBER_KEYS'),
      SECURITY_CODE_KEYS: ring('SECURITY_CODE_KEYS'),
      DATABASE_URL: await machine.databaseUrl(),
      DATA_DIR: join(machine.dataFolder, 'none'),
    }
    const printed = await run('src/admin.ts', ['encryption-keys', 'rotate'], environment)
    expect(printed).not.toMatch(/Added the key|--payload-keys/)
    expect(new Set((await encryptedNow()).map(({ keyId }) => keyId))).toEqual(new Set(['added']))
    const [old = ''] = before.CARD_NUMBER_KEYS.split(':')
    expect(await run('src/admin.ts', ['encryption-keys', 'retire', old], environment)).toContain(
      `Nothing needs ${old} in CARD_NUMBER_KEYS, SECURITY_CODE_KEYS any more. Remove it from the environment`,
    )
  })
})
