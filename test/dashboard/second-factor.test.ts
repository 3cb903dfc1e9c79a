import { generateKeyPairSync } from 'node:crypto'
import { beforeEach, describe, expect, test } from '@jest/globals'
import { TOTP } from 'otpauth'
import {
  codeGeneratorAnswer,
  passkeyOptionsAnswer,
  peopleAnswer,
  secondFactorAnswer,
  sessionAnswer,
} from '../../src/dashboard/contract.ts'
import { endSessionsOf } from '../../src/persistence/queries/people/sessions.ts'
import { TRIES_MAX } from '../../src/persistence/queries/people/sign-in-failures.ts'
import { interfaceForFile } from '../http/interface.ts'
import { countWaiting } from '../support/held-lock.ts'
import { waitFor } from '../support/wait-for.ts'
import { makeAuthenticator, type Oddities } from './authenticator.ts'
import { type Browser, begin, makeAccount, openBrowser, PASSWORD } from './browser.ts'

// Passkeys are bound to a name, which an address of numbers is not.
const ORIGIN = 'https://pay.shop.example'
const api = interfaceForFile({ publicUrl: ORIGIN })

const forgetTries = () => api.database.orm.em.fork().execute('delete from sign_in_failure')

const forgetCalls = () => api.database.orm.em.fork().execute('delete from rate_limit_bucket')

beforeEach(forgetCalls)

/** A browser whose pages are of the public address. */
function open(): Browser {
  const browser = openBrowser(api.url)
  const { ask } = browser
  browser.ask = (method, path, body, headers = {}) =>
    ask(method, path, body, { ...(method !== 'GET' && { origin: ORIGIN }), ...headers })
  return browser
}

const proof = { current_password: PASSWORD }
const REQUIRED = 'request.authentication.second-factor-required'

type Person = Awaited<ReturnType<typeof newPerson>>

async function newPerson(projectId = api.merchant.projectId) {
  const account = await makeAccount(api, { roles: { [projectId]: 'owner' } })
  const browser = Object.assign(open(), { project: `test-${projectId}` })
  expect((await browser.signIn(account.email, PASSWORD)).status).toBe(200)
  return { ...account, browser }
}

/** Signs in by the password, in a browser that does not know the account. */
async function half({ email }: Person): Promise<Browser> {
  const browser = Object.assign(open(), { project: `test-${api.merchant.projectId}` })
  const { session } = sessionAnswer.parse((await browser.signIn(email, PASSWORD)).body)
  expect([session.needs_second_factor, session.projects]).toEqual([true, []])
  return browser
}

async function newCodes(browser: Browser) {
  const made = codeGeneratorAnswer.parse((await browser.post('/dashboard/second-factors/codes/options', proof)).body)
  expect(made.uri).toMatch(/^otpauth:\/\/totp\/Holdfast:person.*secret=/)
  const codeIn = (steps: number) =>
    new TOTP({ secret: made.secret }).generate({ timestamp: api.clock.now().getTime() + steps * 30_000 })
  return { ...made, codeIn, request: { secret: made.secret, proof: made.proof, code: codeIn(0) } }
}

async function setUpCodes({ browser }: Person) {
  const made = await newCodes(browser)
  const set = secondFactorAnswer.parse((await browser.put('/dashboard/second-factors/codes', made.request)).body)
  return { ...made, recovery: set.recovery_codes ?? [] }
}

async function addPasskey({ browser }: Person, odd: Oddities = {}) {
  const device = makeAuthenticator(ORIGIN)
  const asked = await browser.post('/dashboard/second-factors/passkeys/options', proof)
  const { challenge } = passkeyOptionsAnswer.parse(asked.body).options
  const passkey = device.make(challenge, odd)
  const answer = await browser.post('/dashboard/second-factors/passkeys', { name: 'Key', passkey })
  return { device, answer, passkey }
}

async function challengeOf(browser: Browser): Promise<string> {
  const { body } = await browser.post('/dashboard/session/second-factor/options')
  return passkeyOptionsAnswer.parse(body).options.challenge
}

const confirm = async (browser: Browser, request: object) =>
  (await browser.post('/dashboard/session/second-factor', request)).status

describe('a password without the second factor', () => {
  test('takes no calls from the person, who has given it', async () => {
    const person = await newPerson()
    await setUpCodes(person)
    const thief = await half(person)
    await forgetCalls()
    expect((await thief.get('/dashboard/payments')).status).toBe(403)
    await api.database.orm.em.fork().execute(
      `update rate_limit_bucket set theoretical_arrival_us = extract(epoch from clock_timestamp() + interval '1 hour') * 1000000
        where kind = 'person'`,
    )
    expect((await thief.get('/dashboard/payments')).status).toBe(429)
    expect((await person.browser.get('/dashboard/payments')).status).toBe(200)
  })

  test('opens nothing: no project, no REST, no change of the account', async () => {
    const person = await newPerson()
    await setUpCodes(person)
    const browser = await half(person)
    for (const [method, path, body] of [
      ['GET', '/dashboard/payments'],
      ['GET', '/invoices'],
      ['POST', '/invoices', { name: 'x', amount: '1.00', currency: 'EUR' }],
      ['PUT', '/dashboard/password', { ...proof, new_password: `${PASSWORD} 2` }],
      ['DELETE', '/dashboard/sessions'],
      ['POST', '/dashboard/membership', { token: 'x' }],
      ['POST', '/dashboard/second-factors/passkeys/options', proof],
      ['POST', '/dashboard/second-factors/recovery-codes', proof],
      ['DELETE', '/dashboard/second-factors/codes', proof],
      ['PUT', '/dashboard/second-factor', { required: false }],
    ] as const) {
      const answer = await browser.ask(method, path, body)
      expect([path, answer.status, answer.body.error_type]).toEqual([path, 403, REQUIRED])
    }
    // Nor does another session of before, and the browser is not known by the password alone.
    expect(browser.marks).toEqual([])
    expect((await browser.delete('/dashboard/session')).status).toBe(200)
  })

  test('opens no session of before either, once there is a second factor', async () => {
    const person = await newPerson()
    const before = open()
    await before.signIn(person.email, PASSWORD)
    await setUpCodes(person)
    before.project = person.browser.project
    expect((await before.get('/dashboard/payments')).body.error_type).toBe(REQUIRED)
    expect((await person.browser.get('/dashboard/payments')).status).toBe(200)
  })

  test('is enough for no project that requires one: its people only set one up, and other projects go on', async () => {
    const { projectId } = await api.makeMerchant({ sandbox: true })
    const owner = await newPerson(projectId)
    const rule = (required: boolean) => owner.browser.put('/dashboard/second-factor', { required })
    expect((await rule(true)).body.error_type).toBe('request.validation.invalid-state')
    await setUpCodes(owner)
    expect((await rule(true)).status).toBe(200)

    const account = await makeAccount(api, { roles: { [projectId]: 'developer', [api.merchant.projectId]: 'support' } })
    const member = { ...account, browser: Object.assign(open(), { project: `test-${projectId}` }) }
    await member.browser.signIn(account.email, PASSWORD)
    for (const path of ['/dashboard/payments', '/invoices', '/dashboard/people'])
      expect((await member.browser.get(path)).body.error_type).toBe(REQUIRED)
    member.browser.project = `test-${api.merchant.projectId}`
    expect((await member.browser.get('/invoices')).status).toBe(200)
    member.browser.project = `test-${projectId}`
    await setUpCodes(member)
    expect((await member.browser.get('/invoices')).status).toBe(200)
  })
})

test('who has one is shown to those who manage people, and to nobody else', async () => {
  const { projectId } = await api.makeMerchant({ sandbox: true })
  const [owner, byKey, byCodes] = [await newPerson(projectId), await newPerson(projectId), await newPerson(projectId)]
  await addPasskey(byKey)
  await setUpCodes(byCodes)
  const shown = async () => {
    const { people } = peopleAnswer.parse((await byKey.browser.get('/dashboard/people')).body)
    return [owner, byKey, byCodes].map((person) => people.find(({ id }) => id === person.id)?.has_second_factor)
  }
  expect(await shown()).toEqual([false, true, true])
  await owner.browser.put(`/dashboard/people/${byKey.id}`, { role: 'developer' })
  expect(await shown()).toEqual([null, null, null])
})

describe('a request that was admitted before, and whose body ends', () => {
  const CODES = '/dashboard/second-factors/codes'
  const RECOVERY = '/dashboard/second-factors/recovery-codes'
  const newPassword = { ...proof, new_password: `${PASSWORD} 2` }

  test.each([
    ['POST', '/dashboard/session/second-factor', 'after all sessions have', { recovery_code: 'the first' }, 401],
    ['PUT', CODES, 'after all sessions have', null, 401],
    ['DELETE', CODES, 'after all sessions have', proof, 401],
    ['POST', RECOVERY, 'after all sessions have', proof, 401],
    ['PUT', '/dashboard/password', 'after all sessions have', newPassword, 401],
    ['PUT', CODES, 'in what is half a session by then', null, 403],
    ['DELETE', CODES, 'in what is half a session by then', proof, 403],
    ['POST', RECOVERY, 'in what is half a session by then', proof, 403],
    ['PUT', '/dashboard/password', 'in what is half a session by then', newPassword, 403],
  ])('does nothing: %s %s, %s', async (method, path, _, body, expected) => {
    const person = await newPerson()
    const hasEnded = expected === 401
    const { recovery } = hasEnded ? await setUpCodes(person) : { recovery: [] }
    const isConfirmation = path.endsWith('second-factor')
    const browser = isConfirmation ? await half(person) : hasEnded ? person.browser : open()
    if (!hasEnded) await browser.signIn(person.email, PASSWORD)
    await forgetCalls()
    const finish = await begin(api, browser, { method, path, body: await bodyOf(), origin: ORIGIN })
    if (hasEnded) await endSessionsOf(api.database.orm.em.fork(), person.id)
    else await setUpCodes(person)
    const before = await accountOf(person)
    expect([await finish(), await accountOf(person)]).toEqual([expected, before])

    async function bodyOf(): Promise<object> {
      if (isConfirmation) return { recovery_code: recovery[0] }
      return body ?? (await newCodes(browser)).request
    }
  })

  const accountOf = ({ id }: Person) =>
    api.database.orm.em.fork().execute(
      `select person.*, (select count(*) from person_session where person_id = person.id) as sessions,
              (select array_agg(code_hash order by code_hash) from recovery_code where person_id = person.id) as codes
         from person where id = ?`,
      [id],
    )
})

describe('a code of an authenticator app', () => {
  test.each([
    ['the one before', -1, 200],
    ['the present one', 0, 200],
    ['the next one', 1, 200],
    ['one too old', -2, 400],
    ['one too new', 2, 400],
  ])('that is %s is answered', async (_, steps, expected) => {
    const person = await newPerson()
    const { codeIn } = await setUpCodes(person)
    api.clock.advance(90_000)
    expect(await confirm(await half(person), { code: codeIn(steps) })).toBe(expected)
  })

  test('is used once, in whatever session, also the one of the set-up, and none before it', async () => {
    const person = await newPerson()
    const { codeIn } = await setUpCodes(person)
    expect(await confirm(await half(person), { code: codeIn(0) })).toBe(400)
    api.clock.advance(60_000)
    const [one, other] = [await half(person), await half(person)]
    await forgetTries()
    const both = await Promise.all([one, other].map((browser) => confirm(browser, { code: codeIn(0) })))
    expect(both.toSorted()).toEqual([200, 400])
    expect(await confirm(await half(person), { code: codeIn(-1) })).toBe(400)
  })

  test('that is wrong counts as a wrong password does, and the right one is too late then', async () => {
    const person = await newPerson()
    const { codeIn } = await setUpCodes(person)
    api.clock.advance(60_000)
    const browser = await half(person)
    const statuses = []
    for (let tries = 1; tries < TRIES_MAX; tries += 1) statuses.push(await confirm(browser, { code: '000000' }))
    expect([...statuses, await confirm(browser, { code: codeIn(0) })]).toEqual([400, 400, 400, 400, 429])
    const locks = () =>
      api.database.orm.em
        .fork()
        .execute<{ facts: string }[]>("select facts from audit_entry where kind = 'person.locked' and facts like ?", [
          `%${person.id}%`,
        ])
    await waitFor(async () => (await locks()).length > 0)
    const facts = { person_id: person.id, browsers: 'stranger', tried: 'second factor' }
    expect((await locks()).map((lock) => JSON.parse(lock.facts))).toEqual([facts])
  })

  test('of an app that was replaced before it is compared confirms nothing', async () => {
    const person = await newPerson()
    const before = await setUpCodes(person)
    api.clock.advance(60_000)
    const browser = await half(person)
    const em = api.database.orm.em.fork()
    await em.begin()
    await em.execute('select from sign_in_failure for update')
    const confirmed = confirm(browser, { code: before.codeIn(1) })
    await waitFor(() => countWaiting(api.database.orm))
    await setUpCodes(person)
    await em.commit()
    expect(await confirmed).toBe(400)
  })

  test('is of a secret that the service has made in this session, for one who knows the password', async () => {
    const person = await newPerson()
    const { browser } = person
    const ask = (body: object) => browser.post('/dashboard/second-factors/codes/options', body)
    expect((await ask({ current_password: 'wrong' })).body.invalid_fields[0].name).toBe('current_password')
    const { secret, proof: made } = codeGeneratorAnswer.parse((await ask(proof)).body)
    const code = new TOTP({ secret }).generate({ timestamp: api.clock.now().getTime() })
    const other = await newPerson()
    for (const [one, request] of [
      [browser, { secret: 'A'.repeat(32), proof: made, code }],
      [browser, { secret, proof: made, code: '000000' }],
      [other.browser, { secret, proof: made, code }],
    ] as const)
      expect((await one.put('/dashboard/second-factors/codes', request)).status).toBe(400)
    expect(
      sessionAnswer.parse((await browser.get('/dashboard/session')).body).session.second_factors.code_generator,
    ).toBe(false)
  })
})

describe('a recovery code', () => {
  test('lets its person in once, however it is typed, and nobody else', async () => {
    const person = await newPerson()
    const { recovery } = await setUpCodes(person)
    const [first = '', second = ''] = recovery
    expect([recovery.length, first]).toEqual([10, expect.stringMatching(/^(\w{4}-){3}\w{4}$/)])
    const other = await newPerson()
    await setUpCodes(other)
    expect(await confirm(await half(other), { recovery_code: first })).toBe(400)
    const typed = ` ${first.toUpperCase().replaceAll('-', ' ')}`
    expect(await confirm(await half(person), { recovery_code: typed })).toBe(200)
    expect(await confirm(await half(person), { recovery_code: first })).toBe(400)

    await forgetTries()
    const renewed = await person.browser.post('/dashboard/second-factors/recovery-codes', proof)
    const [third = ''] = secondFactorAnswer.parse(renewed.body).recovery_codes ?? []
    expect(await confirm(await half(person), { recovery_code: second })).toBe(400)
    expect(await confirm(await half(person), { recovery_code: third })).toBe(200)
    const written = `${await api.database.dump()}\n${api.log.text()}`
    for (const code of [first, second, third]) expect(written).not.toContain(code.replaceAll('-', ''))
  })
})

describe('a passkey', () => {
  test.each<[string, Oddities | ((person: Person, browser: Browser) => Promise<Oddities>)]>([
    ['of another origin', { origin: 'https://evil.example' }],
    ['of another name', { rpId: 'evil.example' }],
    ['for another challenge', { challenge: Buffer.from('another one of 16').toString('base64url') }],
    ['without its person being verified', { isVerified: false }],
    ['by another key', { key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }],
    ['that has counted no further', { signCount: 0 }],
  ])('does not confirm a sign-in %s', async (_, odd) => {
    const person = await newPerson()
    const { device, answer } = await addPasskey(person)
    expect(answer.status).toBe(200)
    const first = await half(person)
    expect(await confirm(first, { passkey: device.sign(await challengeOf(first)) })).toBe(200)
    const browser = await half(person)
    const signed = device.sign(await challengeOf(browser), odd as Oddities)
    expect(await confirm(browser, { passkey: signed })).toBe(400)
    expect((await browser.get('/dashboard/payments')).status).toBe(403)
    // The challenge is used up, and the same passkey signs another one.
    const { passkey } = { passkey: device.sign(await challengeOf(browser)) }
    expect(await confirm(browser, { passkey })).toBe(200)
    expect(await confirm(await half(person), { passkey })).toBe(400)
  })

  test('of somebody else, or a challenge of another session, confirms nothing', async () => {
    const [person, other] = [await newPerson(), await newPerson()]
    const mine = await addPasskey(person)
    const theirs = await addPasskey(other)
    const browser = await half(person)
    expect(await confirm(browser, { passkey: theirs.device.sign(await challengeOf(browser)) })).toBe(400)
    const challenge = await challengeOf(browser)
    expect(await confirm(await half(person), { passkey: mine.device.sign(challenge) })).toBe(400)
  })

  test.each<[string, Oddities]>([
    ['of another origin', { origin: 'https://evil.example' }],
    ['of another name', { rpId: 'evil.example' }],
    ['without its person being verified', { isVerified: false }],
    ['for another challenge', { challenge: Buffer.from('another one of 16').toString('base64url') }],
    ['with certificates', { format: 'apple' }],
  ])('is not added %s', async (_, odd) => {
    const { answer } = await addPasskey(await newPerson(), odd)
    expect([answer.status, answer.body.invalid_fields[0].name]).toEqual([400, 'passkey'])
  })

  test('is added for the password only: not by a challenge for signing in, nor twice', async () => {
    const person = await newPerson()
    const { device, passkey } = await addPasskey(person)
    const add = (made: object) =>
      person.browser.post('/dashboard/second-factors/passkeys', { name: 'Key', passkey: made })
    expect((await add(passkey)).status).toBe(400)
    expect((await add(makeAuthenticator(ORIGIN).make(await challengeOf(person.browser)))).status).toBe(400)
    const { body } = await person.browser.post('/dashboard/second-factors/passkeys/options', proof)
    expect(body.options.excludeCredentials).toMatchObject([{ id: device.id, transports: ['usb'] }])
    expect((await add(device.make(body.options.challenge))).status).toBe(400)
  })

  test('is removed for the password, and the recovery codes with the last second factor', async () => {
    const [person, other] = [await newPerson(), await newPerson()]
    const { device } = await addPasskey(person)
    const path = `/dashboard/second-factors/passkeys/${device.id}`
    expect((await person.browser.ask('DELETE', path, { current_password: 'wrong' })).status).toBe(400)
    expect((await other.browser.ask('DELETE', path, proof)).body.error_type).toBe('resource.passkey.not-found')
    const { session } = sessionAnswer.parse((await person.browser.ask('DELETE', path, proof)).body)
    expect(session.second_factors).toEqual({ code_generator: false, passkeys: [], recovery_codes_left: 0 })
    expect((await person.browser.post('/dashboard/second-factors/recovery-codes', proof)).status).toBe(400)
  })
})

test('the last second factor stays while a project requires one, and another one takes its place', async () => {
  const person = await newPerson((await api.makeMerchant({ sandbox: true })).projectId)
  await setUpCodes(person)
  await person.browser.put('/dashboard/second-factor', { required: true })
  const remove = () => person.browser.ask('DELETE', '/dashboard/second-factors/codes', proof)
  const { status, body } = await remove()
  expect([status, body.message]).toEqual([400, expect.stringMatching(/requires a second factor/)])
  expect((await person.browser.get('/dashboard/payments')).status).toBe(200)
  await addPasskey(person)
  expect((await remove()).status).toBe(200)
  expect((await person.browser.get('/dashboard/payments')).status).toBe(200)
})

test('a person has twenty passkeys at most', async () => {
  const person = await newPerson()
  await addPasskey(person)
  await api.database.orm.em.fork().execute(
    `insert into person_passkey (id, person_id, name, public_key, sign_count, transports, created_at)
     select ? || nth, ?, 'Key', 'AA', 0, '', now() from generate_series(1, 18) nth`,
    [person.id, person.id],
  )
  expect((await addPasskey(person)).answer.status).toBe(200)
  expect((await addPasskey(person)).answer.body.error_type).toBe('request.validation.invalid-state')
})

test('what is done about second factors is in the audit log, without a secret', async () => {
  const person = await newPerson()
  const { secret } = await setUpCodes(person)
  await addPasskey(person)
  await person.browser.ask('DELETE', '/dashboard/second-factors/codes', proof)
  const acts = await api.database.orm.em
    .fork()
    .execute<{ kind: string; facts: string }[]>(
      "select kind, facts from audit_entry where actor = ? and kind like 'person.%' and kind <> 'person.signed-in' order by number",
      [`person:${person.id}`],
    )
  expect(
    acts.filter(({ kind }) => !kind.includes('row')).map(({ kind, facts }) => [kind, JSON.parse(facts).factor]),
  ).toEqual([
    ['person.second-factor-added', 'codes'],
    ['person.recovery-codes-made', undefined],
    ['person.second-factor-added', 'passkey'],
    ['person.second-factor-removed', 'codes'],
  ])
  expect(`${await api.database.dump()}\n${api.log.text()}`).not.toContain(secret)
})
