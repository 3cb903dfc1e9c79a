import { beforeEach, describe, expect, test } from '@jest/globals'
import { sessionAnswer } from '../../src/dashboard/contract.ts'
import { RESET_SECONDS, resetPassword, setDisabled } from '../../src/persistence/queries/people/people.ts'
import { LOCKED_SECONDS, TRIES_MAX } from '../../src/persistence/queries/people/sign-in-failures.ts'
import { SESSION_IDLE_SECONDS, SESSION_SECONDS } from '../../src/rate-limit/person-admission.ts'
import { hashPassword } from '../../src/vault/password.ts'
import { createVault } from '../../src/vault/vault.ts'
import { interfaceForFile, startInterface } from '../http/interface.ts'
import { emptyBucket } from '../http/rate-limit-buckets.ts'
import { countWaiting } from '../support/held-lock.ts'
import { TEST_KEYS } from '../support/keys.ts'
import { waitFor } from '../support/wait-for.ts'
import { type Browser, makeAccount, openBrowser, PASSWORD, signedInAs } from './browser.ts'

const api = interfaceForFile()
const vault = createVault(TEST_KEYS)
let browser: Browser

beforeEach(async () => {
  await api.database.orm.em.fork().execute('delete from rate_limit_bucket')
  browser = openBrowser(api.url)
})

const REFUSED = { success: false, error_type: 'request.authentication.sign-in-refused' }
const ENDED = { success: false, error_type: 'request.authentication.session-invalid' }
const LOCKED = 'request.authentication.sign-in-locked'
const NOT_OWN = { success: false, error_type: 'request.authentication.not-own-page' }

const changePassword = (current: string, wanted: string) =>
  browser.put('/dashboard/password', { current_password: current, new_password: wanted })

describe('nobody signs in', () => {
  test('with a wrong password, an unknown address or a disabled account, which are answered alike', async () => {
    const known = await makeAccount(api)
    const disabled = await makeAccount(api)
    await api.database.orm.em
      .fork()
      .transactional((em) => setDisabled(em, disabled, { disabledAt: api.clock.now(), actor: 'operator' }))
    for (const [email, password] of [
      [known.email, `${PASSWORD}.`],
      [known.email, PASSWORD.toUpperCase()],
      ['nobody@example.com', PASSWORD],
      [disabled.email, PASSWORD],
    ] as const) {
      const { status, body, headers } = await browser.signIn(email, password)
      expect([email, status, body]).toEqual([email, 401, expect.objectContaining(REFUSED)])
      expect(body.message).toBe('The email address or the password is wrong.')
      expect([headers.get('set-cookie'), headers.get('www-authenticate')]).toEqual([null, null])
    }
  })

  test('from a page of another origin', async () => {
    const { email } = await makeAccount(api)
    const credentials = { email, password: PASSWORD }
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: null },
      { origin: api.url.replace('http:', 'https:') },
      { origin: api.url.replace(/:\d+$/, ':1') },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      const { status, body } = await browser.ask('POST', '/dashboard/session', credentials, headers)
      expect([headers, status, body]).toEqual([headers, 403, expect.objectContaining(NOT_OWN)])
    }
    expect(browser.cookie).toBeNull()
  })

  test('after five wrong tries in strange browsers, for half an hour, with the right password neither, be there an account or not', async () => {
    const { email } = await makeAccount(api)
    for (const address of [email, 'no-account@example.com']) {
      const seen = []
      for (let tries = 0; tries < TRIES_MAX; tries += 1) {
        const stranger = openBrowser(api.url)
        seen.push((await stranger.signIn(tries % 2 === 0 ? address : address.toUpperCase(), 'wrong')).status)
      }
      const locked = await openBrowser(api.url).signIn(address, PASSWORD)
      seen.push(locked.status, locked.body.error_type, locked.headers.get('retry-after'))
      expect(seen).toEqual([401, 401, 401, 401, 401, 429, LOCKED, String(LOCKED_SECONDS)])
    }
    api.clock.advance(LOCKED_SECONDS * 1000 - 1)
    expect((await browser.signIn(email, PASSWORD)).body.error_type).toBe(LOCKED)
    api.clock.advance(1)
    expect((await browser.signIn(email, PASSWORD)).status).toBe(200)
  })

  test('with five wrong tries at once and more: no more are compared than may be wrong', async () => {
    const { email } = await makeAccount(api)
    const all = Array.from({ length: 12 }, () => openBrowser(api.url).signIn(email, 'wrong'))
    const statuses = (await Promise.all(all)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(TRIES_MAX)
  })

  test('from an address that has tried too much, but in a browser that knows the account', async () => {
    const { email } = await makeAccount(api)
    await browser.signIn(email, PASSWORD)
    await api.database.orm.em.fork().execute(
      `update rate_limit_bucket set theoretical_arrival_us = extract(epoch from clock_timestamp() + interval '1 hour') * 1000000
        where kind = 'sign_in_address'`,
    )
    const stranger = await openBrowser(api.url).signIn(email, PASSWORD)
    expect([stranger.status, stranger.body.error_type]).toEqual([429, 'request.rate.exceeded'])
    expect(Number(stranger.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await browser.signIn(email, PASSWORD)).status).toBe(200)
  })

  test('with the id of a session that an attacker has planted in the browser', async () => {
    const { email } = await makeAccount(api)
    browser.cookie = `holdfast_session=sess_${'A'.repeat(32)}`
    const planted = browser.cookie
    await browser.signIn(email, PASSWORD)
    expect(browser.cookie).toMatch(/^holdfast_session=sess_\w{32}$/)
    expect(browser.cookie).not.toBe(planted)
    const attacker = openBrowser(api.url)
    attacker.cookie = planted
    expect((await attacker.get('/dashboard/session')).body).toMatchObject(ENDED)
  })
})

describe('a person signs in', () => {
  test('and is told the projects with role and rights, in an answer of the contract', async () => {
    const live = await api.makeMerchant({ sandbox: false })
    const { id, email } = await makeAccount(api, {
      roles: { [api.merchant.projectId]: 'developer', [live.projectId]: 'support' },
    })
    const { status, body, headers } = await browser.signIn(` ${email.toUpperCase()} `, PASSWORD)
    expect(status).toBe(200)
    const { session } = sessionAnswer.parse(body)
    expect(session.person).toEqual({ id, email, name: expect.stringMatching(/^Person/) })
    const shown = session.projects.map((one) => [one.id, one.role, one.manages_people, one.manages_api_keys])
    // Both projects are of one instant.
    expect(shown.toSorted()).toEqual(
      [
        [`test-${api.merchant.projectId}`, 'developer', false, true],
        [api.merchant.projectId, 'developer', false, false],
        [`test-${live.projectId}`, 'support', false, false],
        [live.projectId, 'support', false, false],
      ].toSorted(),
    )
    expect(session.projects.find(({ id: one }) => one === live.projectId)?.permissions).toEqual(['read'])
    expect(headers.getSetCookie()[0]).toMatch(
      /^holdfast_session=sess_\w{32}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    )
    expect(headers.get('content-encoding')).toBeNull()
    expect(sessionAnswer.parse((await browser.get('/dashboard/session')).body).session).toEqual(session)
  })

  test('by https with a cookie that no other host and no plain connection can set', async () => {
    const secure = await startInterface({ isReachedByHttps: true, publicUrl: 'https://pay.example' })
    try {
      const { email } = await makeAccount(secure)
      const page = openBrowser(secure.url)
      const own = { origin: 'https://pay.example' }
      const answer = await page.ask('POST', '/dashboard/session', { email, password: PASSWORD }, own)
      expect(answer.headers.get('set-cookie')).toMatch(
        /^__Host-holdfast_session=.*; HttpOnly; SameSite=Strict; Secure$/,
      )
      expect((await page.get('/dashboard/session')).status).toBe(200)
      const byHost = await page.ask('POST', '/dashboard/session', { email, password: PASSWORD })
      expect(byHost.body).toMatchObject(NOT_OWN)
    } finally {
      await secure.stop()
    }
  })

  test('and leaves neither password nor cookie in the database or a log', async () => {
    const { email } = await makeAccount(api)
    await browser.signIn(email, PASSWORD)
    await browser.signIn(email, 'something wrong, and secret 5')
    const [, value = ''] = browser.cookie?.split('=') ?? []
    const written = `${await api.database.dump()}\n${api.log.text()}`
    for (const secret of [PASSWORD, value, browser.csrfToken, 'something wrong']) expect(written).not.toContain(secret)
  })
})

describe('a session ends', () => {
  test('when its person signs out, also where the cookie was copied', async () => {
    const person = await signedInAs(api, 'owner')
    const copy = openBrowser(api.url)
    copy.cookie = person.cookie
    expect((await copy.get('/dashboard/session')).status).toBe(200)
    expect((await person.delete('/dashboard/session')).body).toEqual({ success: true })
    expect(person.cookie).toBeNull()
    expect((await copy.get('/dashboard/session')).body).toMatchObject(ENDED)
  })

  test('everywhere, where the person signs out everywhere, changes the password, or is disabled', async () => {
    const { id, email } = await makeAccount(api)
    const others = [openBrowser(api.url), openBrowser(api.url)]
    const signInAll = async (password: string) => {
      for (const one of [browser, ...others]) expect((await one.signIn(email, password)).status).toBe(200)
    }
    const expectEnded = async (all: readonly Browser[]) => {
      for (const one of all) expect((await one.get('/dashboard/session')).body).toMatchObject(ENDED)
    }
    await signInAll(PASSWORD)
    await browser.delete('/dashboard/sessions')
    await expectEnded([browser, ...others])

    await signInAll(PASSWORD)
    const before = browser.cookie
    expect((await changePassword(PASSWORD, 'another long password 2')).status).toBe(200)
    await expectEnded(others)
    expect(browser.cookie).not.toBe(before)
    expect((await browser.get('/dashboard/session')).status).toBe(200)

    await signInAll('another long password 2')
    await api.database.orm.em
      .fork()
      .transactional((em) => setDisabled(em, { id }, { disabledAt: api.clock.now(), actor: 'operator' }))
    await expectEnded([browser, ...others])
  })

  test.each([
    ['signs in', (email: string) => openBrowser(api.url).signIn(email, PASSWORD), REFUSED],
    ['changes it', () => changePassword(PASSWORD, '1 of an attacker'), ENDED],
  ])('also for one whose old password was right when it was compared, and who then %s', async (_, ask, refusal) => {
    const person = await makeAccount(api)
    await browser.signIn(person.email, PASSWORD)
    const em = api.database.orm.em.fork()
    const passwordHash = await hashPassword('one that an operator made')
    const reset = { passwordHash, tokenHash: vault.hashSecret(person.id), actor: 'operator', now: api.clock.now() }
    const asked = await em.transactional(async (transaction) => {
      await resetPassword(transaction, person, reset)
      // The old password is still in the row that others see; what follows has to wait for this transaction.
      const answer = ask(person.email)
      await waitFor(() => countWaiting(api.database.orm))
      return { answer }
    })
    expect((await asked.answer).body).toMatchObject(refusal)
    expect(await em.fork().execute('select 1 from person_session where person_id = ?', [person.id])).toEqual([])
    expect(await em.fork().execute('select password_hash from person where id = ?', [person.id])).toEqual([
      { password_hash: passwordHash },
    ])
  })

  test('when a person who is disabled by hand in the database asks again', async () => {
    const person = await signedInAs(api, 'owner')
    await api.database.orm.em.fork().execute('update person set disabled_at = now() where id = ?', [person.personId])
    expect((await person.get('/dashboard/payments')).body).toMatchObject(ENDED)
  })

  test('after a quarter of an hour without a call, and however much it is used after twelve hours', async () => {
    const { email } = await makeAccount(api)
    await browser.signIn(email, PASSWORD)
    const startedAt = api.clock.now().getTime()
    api.clock.advance((SESSION_IDLE_SECONDS - 1) * 1000)
    expect((await browser.get('/dashboard/session')).status).toBe(200)
    api.clock.advance(SESSION_IDLE_SECONDS * 1000)
    expect((await browser.get('/dashboard/session')).body).toMatchObject(ENDED)

    await browser.signIn(email, PASSWORD)
    const signedInAt = api.clock.now().getTime()
    expect(signedInAt).toBeGreaterThan(startedAt)
    while (api.clock.now().getTime() < signedInAt + (SESSION_SECONDS - SESSION_IDLE_SECONDS) * 1000) {
      api.clock.advance((SESSION_IDLE_SECONDS / 2) * 1000)
      expect((await browser.get('/dashboard/session')).status).toBe(200)
    }
    api.clock.advance(SESSION_IDLE_SECONDS * 1000 - 1)
    await browser.get('/dashboard/session')
    api.clock.advance(1)
    expect((await browser.get('/dashboard/session')).body).toMatchObject(ENDED)
  })
})

describe('a password', () => {
  test('that was reset is chosen by the link of the operator, once, within a day, and by nobody disabled', async () => {
    const person = await makeAccount(api)
    const em = api.database.orm.em.fork()
    const choose = (token: string, new_password: string) => browser.post('/dashboard/password', { token, new_password })
    const reset = async (token: string) => {
      const passwordHash = await hashPassword(`nobody knows ${token}`)
      const facts = { passwordHash, tokenHash: vault.hashSecret(token), actor: 'operator', now: api.clock.now() }
      await em.fork().transactional((transaction) => resetPassword(transaction, person, facts))
    }
    const over = (how: string) => ({ status: 404, body: { error_type: `resource.password-reset.${how}` } })
    const gone = over('not-found')
    await reset('link of before')
    await reset('link')
    expect((await browser.signIn(person.email, PASSWORD)).status).toBe(401)
    expect(await choose('link of before', 'a password of my own 3')).toMatchObject(gone)
    expect((await choose('link', 'short')).status).toBe(400)
    expect((await choose('link', 'a password of my own 3')).body).toEqual({ success: true })
    expect(browser.cookie).toBeNull()
    expect(await choose('link', 'another of my own 4')).toMatchObject(gone)
    expect((await browser.signIn(person.email, 'a password of my own 3')).status).toBe(200)

    await reset('late')
    api.clock.advance(RESET_SECONDS * 1000)
    expect(await choose('late', 'a password of my own 3')).toMatchObject(over('expired'))
    await reset('disabled')
    await em.fork().transactional((one) => setDisabled(one, person, { disabledAt: api.clock.now(), actor: 'operator' }))
    expect(await choose('disabled', 'a password of my own 3')).toMatchObject(gone)
  })

  test('is changed only by one who knows it, to another one that is long enough', async () => {
    const { email } = await makeAccount(api)
    await browser.signIn(email, PASSWORD)
    for (const [current, wanted, field] of [
      ['a wrong password', 'another long password 2', 'current_password'],
      [PASSWORD, PASSWORD, 'new_password'],
    ] as const) {
      const { status, body } = await changePassword(current, wanted)
      expect([wanted, status, body.invalid_fields?.[0]?.name]).toEqual([wanted, 400, field])
    }
    expect((await openBrowser(api.url).signIn(email, PASSWORD)).status).toBe(200)
  })

  test.each([
    ['short 1', 'must have 12 characters at least'],
    ['letters and no number', 'must have a letter and a digit'],
    ['2026-11-28 12:00', 'must have a letter and a digit'],
    ['1Q2w3E4r5T6y', 'is one of the commonest passwords'],
    ['passwordpassword1', 'must not be one word over and over'],
    ['my EMAIL 1', 'must not be your email address'],
    ['x1'.repeat(101), 'must have 200 characters at most'],
  ])('%s is refused: it %s', async (wanted, reason) => {
    const { email } = await makeAccount(api)
    await browser.signIn(email, PASSWORD)
    const { status, body } = await changePassword(PASSWORD, wanted.replace('EMAIL', email.toUpperCase()))
    expect([status, body.invalid_fields[0]]).toMatchObject([400, { name: 'new_password' }])
    if (!wanted.startsWith('x1')) expect(body.invalid_fields[0].message).toBe(reason)
  })

  test('is chosen after however many that are refused', async () => {
    const { email } = await makeAccount(api)
    await browser.signIn(email, PASSWORD)
    for (let tries = 0; tries <= TRIES_MAX; tries += 1)
      expect((await changePassword(PASSWORD, tries % 2 ? PASSWORD : 'letters and no number')).status).toBe(400)
    expect((await changePassword(PASSWORD, 'another long password 2')).status).toBe(200)
  })

  test('is not guessed in a session that somebody else has left open: the tries are those of signing in', async () => {
    const { email } = await makeAccount(api)
    await browser.signIn(email, PASSWORD)
    const statuses = []
    for (let tries = 0; tries <= TRIES_MAX; tries += 1)
      statuses.push((await changePassword('a wrong password', 'another long password 2')).status)
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
  })
})

describe('a browser that has signed in to the account before', () => {
  test('is let in while others guess: at this account, from its own address, and at many accounts and new ones', async () => {
    const [person, attacker] = [await makeAccount(api), await signedInAs(api, 'owner')]
    await browser.signIn(person.email, PASSWORD)
    await browser.delete('/dashboard/session')
    const { body } = await attacker.post('/dashboard/invitations', { email: 'new@shop.example', role: 'support' })
    const guess = (nth: number) =>
      openBrowser(api.url).signIn(nth % 2 ? person.email : `other${nth}@example.com`, 'wrong')
    const accept = () =>
      openBrowser(api.url).post('/dashboard/account', { token: body.token, name: 'New', password: PASSWORD })
    const flood = Array.from({ length: 60 }, (_, nth) => (nth % 3 === 0 ? accept() : guess(nth)))
    expect((await browser.signIn(person.email, PASSWORD)).status).toBe(200)
    await Promise.all(flood)
    expect((await openBrowser(api.url).signIn(person.email, PASSWORD)).status).toBe(429)
    expect((await browser.signIn(person.email, PASSWORD)).status).toBe(200)
  })

  test('opens the dashboard while its address has asked too much, unlike others and one with a forged cookie', async () => {
    const { email } = await makeAccount(api)
    await browser.signIn(email, PASSWORD)
    const [, nonce] = browser.marks[0]?.split('.') ?? []
    // Each time: they fill again within milliseconds.
    const letIn = async (one: Browser, emptied = ['127.0.0.1']) => {
      const statuses = []
      for (const ask of [() => one.get('/dashboard/'), () => one.signIn(email, PASSWORD)]) {
        for (const subject of emptied) await emptyBucket(api, 'open_route', subject)
        statuses.push((await ask()).status)
      }
      return statuses
    }
    const forged = openBrowser(api.url)
    forged.marks = browser.marks.map((mark) => mark.replace(/[0-9a-f]{4}$/, '0000'))
    expect([await letIn(forged), await letIn(openBrowser(api.url))]).toEqual([
      [429, 429],
      [429, 429],
    ])
    expect(await letIn(browser)).toEqual([200, 200])
    expect(await letIn(browser, ['127.0.0.1', `browser ${nonce}`])).toEqual([429, 429])
    await api.database.orm.em.fork().execute('delete from rate_limit_bucket')
    api.clock.advance(15_552_000_000)
    expect(await letIn(browser)).toEqual([429, 429])
  })

  test('has five wrong tries of its own, which lock no other one', async () => {
    const { email } = await makeAccount(api)
    await browser.signIn(email, PASSWORD)
    const statuses = []
    for (let tries = 0; tries <= TRIES_MAX; tries += 1) statuses.push((await browser.signIn(email, 'wrong')).status)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
    expect((await openBrowser(api.url).signIn(email, PASSWORD)).status).toBe(200)
  })

  test('is one by a cookie that no script reads, for the account and the password that it was given for, for half a year', async () => {
    const [mine, other] = [await makeAccount(api), await makeAccount(api)]
    const { headers } = await browser.signIn(mine.email, PASSWORD)
    const [, mark = ''] = headers.getSetCookie()
    expect(mark).toMatch(/^holdfast_known_\w{16}=[\w.]+; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Strict$/)
    const [name = '', value = ''] = mark.split(';')[0]?.split('=') ?? []
    const lock = async (email: string) => {
      for (let tries = 0; tries < TRIES_MAX; tries += 1) await openBrowser(api.url).signIn(email, 'wrong')
    }
    const letIn = async (email: string, cookie: string) => {
      const one = openBrowser(api.url)
      one.marks = [cookie]
      return (await one.signIn(email, PASSWORD)).status === 200
    }
    await lock(mine.email)
    await lock(other.email)
    await openBrowser(api.url).signIn(other.email, PASSWORD)
    const [until = '', nonce = '', made = '', seal = ''] = value.split('.')
    for (const [email, cookie, is] of [
      [mine.email, `${name}=${value}`, true],
      [other.email, `${name}=${value}`, false],
      [mine.email, `${name}=${Number(until) + 1}.${nonce}.${made}.${seal}`, false],
      [mine.email, `${name}=${until}.${'A'.repeat(32)}.${made}.${seal}`, false],
      [mine.email, `${name}=${until}.${nonce}.${'0'.repeat(64)}.${seal}`, false],
    ] as const)
      expect([cookie, await letIn(email, cookie)]).toEqual([cookie, is])

    await api.database.orm.em.fork().execute('delete from rate_limit_bucket')
    expect((await changePassword(PASSWORD, `${PASSWORD} and more`)).status).toBe(200)
    await lock(mine.email)
    expect(await letIn(mine.email, `${name}=${value}`)).toBe(false)
    api.clock.advance(15_552_000_000)
    await lock(mine.email)
    expect(await letIn(mine.email, String(browser.marks.at(-1)))).toBe(false)
  })

  test('is the one in which a reset password was chosen, which also opens a locked account', async () => {
    const person = await makeAccount(api)
    for (let tries = 0; tries < TRIES_MAX; tries += 1) await browser.signIn(person.email, 'wrong')
    const reset = {
      passwordHash: '$argon2id$',
      tokenHash: vault.hashSecret('reset'),
      actor: 'operator',
      now: api.clock.now(),
    }
    await api.database.orm.em.fork().transactional((em) => resetPassword(em, person, reset))
    await browser.post('/dashboard/password', { token: 'reset', new_password: PASSWORD })
    expect(browser.marks).toHaveLength(1)
    expect((await openBrowser(api.url).signIn(person.email, PASSWORD)).status).toBe(200)
  })
})

test('wrong tries are in the log, a lock and the end of a session in the audit log, without what was typed', async () => {
  const [person, em] = [await makeAccount(api), api.database.orm.em.fork()]
  await browser.signIn(person.email, PASSWORD)
  for (let tries = 0; tries <= TRIES_MAX; tries += 1) {
    await openBrowser(api.url).signIn(person.email, 'secret guess 1')
    await openBrowser(api.url).signIn('nobody.at.all@example.com', 'secret guess 1')
  }
  await changePassword('secret guess 2', 'another long password 2')
  await browser.delete('/dashboard/session')
  await browser.signIn(person.email, PASSWORD)
  await browser.delete('/dashboard/sessions')
  const lines = api.log
    .text()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const logged = lines.filter(({ msg }) => msg === 'A sign-in, a password or a second factor was refused')
  const own = logged.filter(({ person_id: id }) => id === person.id)
  const guessed = ['stranger', 'sign-in', 'wrong']
  expect(own.map(({ browser: kind, tried, reason }) => [kind, tried, reason])).toEqual([
    ...Array.from({ length: TRIES_MAX }, () => guessed),
    ['stranger', 'sign-in', 'locked'],
    ['known browser', 'password', 'wrong'],
  ])
  expect(own.map(({ address }) => address)).toEqual(own.map(() => '127.0.0.1'))
  const acts = () =>
    em.execute<{ kind: string; facts: string }[]>(
      `select kind, actor, facts from audit_entry
        where facts::jsonb ->> 'person_id' = ? and kind ~ '^person[.](locked|signed-out)' order by number`,
      [person.id],
    )
  await waitFor(async () => (await acts()).length === 3)
  expect((await acts()).map(({ facts, ...act }) => ({ ...act, ...JSON.parse(facts) }))).toEqual([
    { kind: 'person.locked', actor: 'service', person_id: person.id, browsers: 'stranger', tried: 'sign-in' },
    { kind: 'person.signed-out', actor: `person:${person.id}`, person_id: person.id },
    { kind: 'person.signed-out', actor: `person:${person.id}`, person_id: person.id, everywhere: true },
  ])
  // Nor does an address without an account leave anything that lasts.
  const written = `${await api.database.dump()}\n${JSON.stringify(logged)}`
  for (const typed of ['secret guess', 'nobody.at.all']) expect(written).not.toContain(typed)
})

test('a change of the account needs the CSRF token of this very session, and a page of this origin', async () => {
  const person = await signedInAs(api, 'owner')
  const other = await signedInAs(api, 'owner')
  for (const headers of [
    { 'x-csrf-token': null },
    { 'x-csrf-token': '' },
    { 'x-csrf-token': other.csrfToken },
    { origin: 'https://evil.example' },
    { origin: null },
  ]) {
    const answer = await person.ask('DELETE', '/dashboard/sessions', undefined, headers)
    expect([headers, answer.status, answer.body]).toEqual([headers, 403, expect.objectContaining(NOT_OWN)])
  }
  expect((await person.get('/dashboard/session')).status).toBe(200)
})
