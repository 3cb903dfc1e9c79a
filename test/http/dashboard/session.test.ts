import { beforeEach, describe, expect, test } from '@jest/globals'
import { SIGN_IN_ACCOUNT_LIMIT, SIGN_IN_ADDRESS_LIMIT } from '../../../domain/rate-limits.ts'
import { sessionAnswer } from '../../../src/http/dashboard/contract.ts'
import { RESET_SECONDS, resetPassword, setDisabled } from '../../../src/persistence/queries/people/people.ts'
import { SESSION_IDLE_SECONDS, SESSION_SECONDS } from '../../../src/rate-limit/person-admission.ts'
import { hashPassword } from '../../../src/vault/password.ts'
import { createVault } from '../../../src/vault/vault.ts'
import { countWaiting } from '../../support/held-lock.ts'
import { TEST_KEYS } from '../../support/keys.ts'
import { waitFor } from '../../support/wait-for.ts'
import { interfaceForFile, startInterface } from '../interface.ts'
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

  test('faster than the limit of an account, with the right password neither, nor on other accounts from one address', async () => {
    const { email } = await makeAccount(api)
    // On a busy machine a bucket refills while it is used; it does not refill by as much as it holds.
    const triesUntilRefused = async (limit: number, emailOf: (tries: number) => string) => {
      for (let tries = 1; tries < 2 * limit; tries += 1) {
        const { status } = await browser.signIn(emailOf(tries), 'a wrong password')
        if (status === 429) return tries
        expect(status).toBe(401)
      }
      return Number.NaN
    }
    expect(await triesUntilRefused(SIGN_IN_ACCOUNT_LIMIT, () => email.toUpperCase())).toBeGreaterThan(
      SIGN_IN_ACCOUNT_LIMIT,
    )
    const refused = await browser.signIn(email, PASSWORD)
    expect([refused.status, refused.body.error_type]).toEqual([429, 'request.rate.exceeded'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const tries = await triesUntilRefused(SIGN_IN_ADDRESS_LIMIT, (nth) => `nobody${nth}@example.com`)
    expect(tries).toBeLessThan(SIGN_IN_ADDRESS_LIMIT)
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
    expect(headers.get('set-cookie')).toMatch(
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
    await browser.signIn(email, 'something wrong, and secret')
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
    expect((await changePassword(PASSWORD, 'another long password')).status).toBe(200)
    await expectEnded(others)
    expect(browser.cookie).not.toBe(before)
    expect((await browser.get('/dashboard/session')).status).toBe(200)

    await signInAll('another long password')
    await api.database.orm.em
      .fork()
      .transactional((em) => setDisabled(em, { id }, { disabledAt: api.clock.now(), actor: 'operator' }))
    await expectEnded([browser, ...others])
  })

  test.each([
    ['signs in', (email: string) => openBrowser(api.url).signIn(email, PASSWORD), REFUSED],
    ['changes it', () => changePassword(PASSWORD, 'one of an attacker'), { error_type: 'request.validation.error' }],
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
    const gone = { status: 404, body: { error_type: 'resource.password-reset.not-found' } }
    await reset('link of before')
    await reset('link')
    expect((await browser.signIn(person.email, PASSWORD)).status).toBe(401)
    expect(await choose('link of before', 'a password of my own')).toMatchObject(gone)
    expect((await choose('link', 'short')).status).toBe(400)
    expect((await choose('link', 'a password of my own')).body).toEqual({ success: true })
    expect(browser.cookie).toBeNull()
    expect(await choose('link', 'another of my own')).toMatchObject(gone)
    expect((await browser.signIn(person.email, 'a password of my own')).status).toBe(200)

    await reset('late')
    api.clock.advance(RESET_SECONDS * 1000)
    expect(await choose('late', 'a password of my own')).toMatchObject(gone)
    await reset('disabled')
    await em.fork().transactional((one) => setDisabled(one, person, { disabledAt: api.clock.now(), actor: 'operator' }))
    expect(await choose('disabled', 'a password of my own')).toMatchObject(gone)
  })

  test('is changed only by one who knows it, to another one that is long enough', async () => {
    const { email } = await makeAccount(api)
    await browser.signIn(email, PASSWORD)
    for (const [current, wanted, field] of [
      ['a wrong password', 'another long password', 'current_password'],
      [PASSWORD, 'short', 'new_password'],
      [PASSWORD, PASSWORD, 'new_password'],
      [PASSWORD, 'x'.repeat(201), 'new_password'],
    ] as const) {
      const { status, body } = await changePassword(current, wanted)
      expect([wanted, status, body.invalid_fields?.[0]?.name]).toEqual([wanted, 400, field])
    }
    expect((await openBrowser(api.url).signIn(email, PASSWORD)).status).toBe(200)
  })

  test('is not guessed in a session that somebody else has left open: the tries are those of signing in', async () => {
    const { email } = await makeAccount(api)
    await browser.signIn(email, PASSWORD)
    const statuses = []
    for (let tries = 1; tries < 2 * SIGN_IN_ACCOUNT_LIMIT; tries += 1)
      statuses.push((await changePassword('a wrong password', 'another long password')).status)
    expect([...new Set(statuses)]).toEqual([400, 429])
  })
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
