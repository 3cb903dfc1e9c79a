import { beforeAll, describe, expect, test } from '@jest/globals'
import { ROLES, type Role } from '../../domain/role.ts'
import { ENDPOINTS } from '../../src/api/endpoints.ts'
import { dashboardOf } from '../../src/dashboard/dashboard.ts'
import type { AppDeps } from '../../src/http/dependencies.ts'
import { factsOf } from '../../src/http/route-access.ts'
import { routerOf } from '../../src/http/router.ts'
import { changeRole } from '../../src/persistence/queries/people/members.ts'
import { endSessionsOf } from '../../src/persistence/queries/people/sessions.ts'
import { PRODUCTION_WAITS } from '../../src/waits.ts'
import { basic } from '../http/basic.ts'
import { interfaceForFile, type Merchant } from '../http/interface.ts'
import { INVOICE } from '../http/operations.ts'
import { rowWriter } from '../http/row-writer.ts'
import { countWaiting } from '../support/held-lock.ts'
import { createHttpClient } from '../support/http-client.ts'
import { waitFor } from '../support/wait-for.ts'
import { type Browser, begin, openBrowser, signedInAs } from './browser.ts'

const api = interfaceForFile()
let other: Merchant
type Person = Awaited<ReturnType<typeof signedInAs>>
const people = new Map<Role, Person>()
let outsider: Person

beforeAll(async () => {
  other = await api.makeMerchant({ sandbox: true })
  for (const role of ROLES) people.set(role, await signedInAs(api, role))
  outsider = await signedInAs(api, 'owner', other.projectId)
})

const personOf = (role: Role): Person => people.get(role) as Person

const LACKS = 'request.authentication.missing-permission'
const NOT_OWN = 'request.authentication.not-own-page'

const READS = [
  ['GET', '/invoices'],
  ['GET', '/dashboard/payments'],
] as const
const CHANGES = [
  ['POST', '/invoices'],
  ['POST', '/dashboard/api-keys'],
] as const

/** Which calls need which role: test/api/endpoints.test.ts. Those of the interface and of the dashboard are guarded apart. */
describe.each([...READS, ...CHANGES])('%s %s', (method, path) => {
  const ask = (browser: Browser) => browser.ask(method, path, method === 'GET' ? undefined : {})

  test('lets nobody in without a session, and asks for no secret key, so that no browser opens a dialog', async () => {
    const nobody = openBrowser(api.url)
    nobody.project = personOf('owner').project
    const { status, headers, body } = await ask(nobody)
    expect([status, body.error_type]).toEqual([401, 'request.authentication.session-invalid'])
    expect(headers.get('www-authenticate')).toBeNull()
  })

  test.each([
    ['of others', () => `test-${api.merchant.projectId}`],
    ['with a longer id', () => `${other.projectId}x`],
    ['that is not there', () => 'proj_none'],
    ['that is none', () => '*'],
    ['with the prefix twice', () => `test-test-${other.projectId}`],
  ])('lets nobody into a project %s', async (_, project) => {
    const { status, body } = await ask(Object.assign(outsider, { project: project() }))
    expect([status, body.error_type]).toEqual([404, 'resource.project.not-found'])
  })
})

describe.each(CHANGES)('%s %s', (method, path) => {
  test('is refused to a page without the token of the session, and to pages of other origins', async () => {
    for (const headers of [
      { 'x-csrf-token': null },
      { 'x-csrf-token': personOf('developer').csrfToken },
      { origin: 'https://evil.example' },
      { origin: null },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      const { status, body } = await personOf('owner').ask(method, path, {}, headers)
      expect([headers, status, body.error_type]).toEqual([headers, 403, NOT_OWN])
    }
  })
})

test('an unknown parameter of the query is refused', async () => {
  for (const path of ['/dashboard/people', '/dashboard/payments', '/dashboard/session', '/invoices']) {
    const { status, body } = await personOf('owner').get(`${path}?colour=red`)
    expect([path, status, body.invalid_fields?.[0]?.name]).toEqual([path, 400, 'colour'])
  }
})

describe('a role', () => {
  test.each([
    ['GET', '/invoices', ['owner', 'developer', 'support']],
    ['POST', '/invoices', ['owner', 'developer']],
    ['GET', '/dashboard/people', ['owner', 'developer', 'support']],
    ['PUT', '/dashboard/people/none', ['owner']],
  ])('lets %s %s be made by %j only', async (method, path, allowed) => {
    const letIn = []
    for (const role of ROLES) {
      const { status, body } = await personOf(role).ask(method, path, method === 'GET' ? undefined : {})
      if (status !== 403 || body.error_type !== LACKS) letIn.push(role)
    }
    expect(letIn).toEqual(allowed)
  })

  test('decides who makes and revokes API keys: support never, developers in the sandbox, owners in live', async () => {
    for (const [role, live, sandbox] of [
      ['owner', true, true],
      ['developer', false, true],
      ['support', false, false],
    ] as const) {
      const person = personOf(role)
      const { project } = person
      for (const [isLive, may] of [
        [true, live],
        [false, sandbox],
      ] as const) {
        person.project = isLive ? api.merchant.projectId : `test-${api.merchant.projectId}`
        const created = await person.post('/dashboard/api-keys', { name: 'Key', permissions: ['read'] })
        const revoked = await person.delete('/dashboard/api-keys/key_none')
        expect([role, isLive, created.status, revoked.status]).toEqual([role, isLive, may ? 200 : 403, may ? 404 : 403])
      }
      person.project = project
    }
  })

  test('that is taken away or changed does not hold for the next request', async () => {
    const person = await signedInAs(api, 'developer')
    expect((await person.post('/invoices', INVOICE)).status).toBe(200)
    await personOf('owner').put(`/dashboard/people/${person.personId}`, { role: 'support' })
    expect((await person.post('/invoices', INVOICE)).body.error_type).toBe(LACKS)
    await personOf('owner').delete(`/dashboard/people/${person.personId}`)
    expect((await person.get('/invoices')).body.error_type).toBe('resource.project.not-found')
  })
})

describe('a right that is lost after the request was admitted', () => {
  /** Every call of people that reads a body, but those about the own account: test/dashboard/second-factor.test.ts. */
  const DEPS = { waits: PRODUCTION_WAITS } as unknown as AppDeps
  const ROUTES = [routerOf(ENDPOINTS, DEPS), dashboardOf(DEPS)].flatMap(({ stack }) =>
    stack.flatMap(({ methods: [method = ''], path, stack: layers }) => {
      const facts = layers.map(factsOf)
      const people = facts.map(({ access, people: may }) => access?.permission ?? may).find((one) => one !== undefined)
      const isOfProject = typeof people === 'function' || (people !== undefined && !people.includes('signed in'))
      const isForAll = people === 'read' || String(path).endsWith('/dry-run')
      const readsBody = facts.some(({ body }) => body !== undefined)
      return isOfProject && readsBody ? [{ method, path: String(path).replaceAll(/:\w+/g, 'none'), isForAll }] : []
    }),
  )

  test.each([
    ['demoted', 403, (id: string) => personOf('owner').put(`/dashboard/people/${id}`, { role: 'support' })],
    ['removed', 404, (id: string) => personOf('owner').delete(`/dashboard/people/${id}`)],
    ['signed out', 401, (id: string) => endSessionsOf(api.database.orm.em.fork(), id)],
  ])('does not hold once the body is there: %s', async (what, expected, lose) => {
    expect(ROUTES.length).toBeGreaterThan(40)
    const person = await signedInAs(api, 'owner')
    const begun = []
    for (const route of ROUTES) begun.push({ ...route, finish: await begin(api, person, { ...route, body: {} }) })
    await lose(person.personId)
    for (const { method, path, isForAll, finish } of begun) {
      const status = await finish()
      if (what !== 'demoted' || !isForAll) expect([method, path, status]).toEqual([method, path, expected])
    }
  })

  test.each<[string, string, object | undefined]>([
    ['PUT', 'people/COLLEAGUE', { role: 'support' }],
    ['DELETE', 'people/COLLEAGUE', undefined],
    ['POST', 'invitations', { email: 'b@shop.example', role: 'owner' }],
    ['DELETE', 'invitations/INVITATION', undefined],
    ['POST', 'api-keys', { name: 'Key', permissions: ['read'] }],
    ['DELETE', 'api-keys/KEY', undefined],
    ['PUT', 'second-factor', { required: false }],
  ])('does not hold in the queue behind its loss: %s %s', async (method, path, body) => {
    const { projectId } = await api.makeMerchant({ sandbox: true })
    const [person, colleague] = [await signedInAs(api, 'owner', projectId), await signedInAs(api, 'owner', projectId)]
    const invited = await person.post('/dashboard/invitations', { email: 'a@shop.example', role: 'support' })
    const key = await person.post('/dashboard/api-keys', { name: 'Key', permissions: ['read'] })
    const ids = { COLLEAGUE: colleague.personId, INVITATION: invited.body.invitation.id, KEY: key.body.api_key.id }
    const address = path.replace(/[A-Z]+$/, (name) => ids[name as keyof typeof ids])
    const em = api.database.orm.em.fork()
    await em.begin()
    await changeRole(em, { projectId, personId: person.personId, role: 'support', actor: 'operator' })
    const answer = person.ask(method, `/dashboard/${address}`, body)
    await waitFor(() => countWaiting(api.database.orm))
    await em.commit()
    expect((await answer).status).toBe(403)
  })
})

describe('a person', () => {
  test('finds no object of the other environment or of another project', async () => {
    const theirs = await rowWriter(api, other)
    await theirs.invoice('iv_theirs')
    await theirs.transaction('tr_theirs', 'iv_theirs')
    const mine = await rowWriter(api, api.merchant)
    await mine.invoice('iv_mine')
    await mine.transaction('tr_mine', 'iv_mine')
    const person = await signedInAs(api, 'owner')
    const statusOf = async (path: string) => (await person.get(path)).status
    for (const path of ['/invoices/iv_theirs', '/transactions/tr_theirs', '/dashboard/payments/iv_theirs']) {
      expect([path, await statusOf(path)]).toEqual([path, 404])
    }
    expect(await statusOf('/invoices/iv_mine')).toBe(200)
    person.project = api.merchant.projectId
    for (const path of ['/invoices/iv_mine', '/transactions/tr_mine', '/dashboard/payments/iv_mine'])
      expect([path, await statusOf(path)]).toEqual([path, 404])
  })

  test('who sends a secret key as well is judged by the key alone', async () => {
    const person = personOf('support')
    const { projectId, secretKey } = api.merchant
    const authorization = basic(`${projectId}:${secretKey}`)
    const answer = await person.ask('POST', '/invoices', INVOICE, {
      authorization,
      origin: null,
      'sec-fetch-site': null,
    })
    expect(answer.status).toBe(200)
    const refused = await person.ask('POST', '/invoices', INVOICE, { authorization })
    expect(refused.body.error_type).toBe(LACKS)
  })

  test('does not use up the limit of the merchant, and has one', async () => {
    const person = await signedInAs(api, 'owner')
    const remainingOf = async () => {
      const { projectId, secretKey } = api.merchant
      const client = createHttpClient(api.url, { username: projectId, password: secretKey })
      return Number((await client.get('/invoices')).headers.get('x-ratelimit-remaining'))
    }
    const before = await remainingOf()
    const asked = []
    for (let calls = 0; calls < 50; calls += 1) asked.push(person.get('/invoices'))
    const answers = await Promise.all(asked)
    expect(answers.map(({ headers }) => headers.get('ratelimit-policy'))).toContain('"person";q=1200;w=60')
    expect(await remainingOf()).toBeGreaterThanOrEqual(before - 1)
    await api.database.orm.em.fork().execute(
      `update rate_limit_bucket set theoretical_arrival_us = extract(epoch from clock_timestamp() + interval '1 hour') * 1000000
          where kind = 'person' and subject = ?`,
      [person.personId],
    )
    expect((await person.get('/invoices')).status).toBe(429)
  })

  test('is named where an API key would be: in the audit log, the versions of rules, the request log', async () => {
    const person = await signedInAs(api, 'developer')
    await api.flushRequestLog()
    const em = api.database.orm.em.fork()
    const { body } = await person.post('/webhook-endpoints', { url: 'https://shop.example/webhooks' })
    expect(body.success).toBe(true)
    const rules = await person.post('/routing-rules', { rules: 'block { enabled: false; }' })
    expect(rules.body.rule_set.created_by).toBe(person.personId)
    await person.get('/webhook-endpoints')
    const acts = await em.execute('select kind from audit_entry where actor = ? order by number', [
      `person:${person.personId}`,
    ])
    expect(acts).toEqual([
      { kind: 'person.signed-in' },
      { kind: 'webhook-endpoint.created' },
      { kind: 'rule-set.created' },
    ])
    await api.flushRequestLog()
    const own = 'select id, method, path from api_request where person_id = ? order by path'
    const logged = await em.execute<{ id: string }[]>(own, [person.personId])
    expect(logged).toMatchObject([
      { method: 'POST', path: '/routing-rules' },
      { method: 'POST', path: '/webhook-endpoints' },
    ])
    const shown = await person.get(`/api-requests/${logged[0]?.id}`)
    expect(shown.body.api_request).toMatchObject({ person_id: person.personId, api_key_id: null })
  })

  test('is named in the command that moves money, and never the author of a payment of the API', async () => {
    api.payments.answerWith(() => ({ kind: 'no-answer' }))
    const person = await signedInAs(api, 'developer')
    const { body } = await person.post('/invoices', INVOICE)
    const address = `/invoices/${body.invoice.id}/authorize`
    await person.post(address, { source: 'card_1' })
    await api.merchant.client.post(address, { source: 'card_1' })
    expect(api.payments.sent.map(({ command }) => [command.actor, command.personId])).toEqual([
      ['merchant', person.personId],
      ['merchant', undefined],
    ])
  })

  test('gets no answer that was kept for the key of another person or of the server', async () => {
    const [one, another] = [personOf('owner'), personOf('developer')]
    const create = (person: Browser) => person.ask('POST', '/invoices', INVOICE, { 'idempotency-key': 'order-1' })
    const first = await create(one)
    const again = await create(one)
    expect([again.body.invoice.id, again.headers.get('idempotent-replayed')]).toEqual([first.body.invoice.id, 'true'])
    expect((await create(another)).body.invoice.id).not.toBe(first.body.invoice.id)
  })
})
