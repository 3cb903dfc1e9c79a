import { beforeEach, describe, expect, test } from '@jest/globals'
import { INVITATION_LIMIT } from '../../domain/rate-limits.ts'
import {
  doneAnswer,
  invitationsAnswer,
  newInvitationAnswer,
  openInvitationAnswer,
  peopleAnswer,
  sessionAnswer,
} from '../../src/dashboard/contract.ts'
import { INVITATION_SECONDS } from '../../src/persistence/queries/people/invitations.ts'
import { addMember, changeRole, removeMember } from '../../src/persistence/queries/people/members.ts'
import { setDisabled } from '../../src/persistence/queries/people/people.ts'
import { interfaceForFile } from '../http/interface.ts'
import { type Browser, makeAccount, openBrowser, PASSWORD, signedInAs } from './browser.ts'

const api = interfaceForFile()

beforeEach(() => api.database.orm.em.fork().execute('delete from rate_limit_bucket'))

/** An owner of a project that nobody else belongs to. */
async function ownerOfOwn() {
  const { projectId } = await api.makeMerchant({ sandbox: true })
  return { projectId, owner: await signedInAs(api, 'owner', projectId) }
}

let invited = 0
function newEmail(): string {
  invited += 1
  return `invited${invited}@shop.example`
}

async function invite(owner: Browser, email = newEmail(), role = 'developer') {
  const answer = await owner.post('/dashboard/invitations', { email, role })
  return { email, ...newInvitationAnswer.parse(answer.body) }
}

const accept = (token: string, browser = openBrowser(api.url)) =>
  browser.post('/dashboard/account', { token, name: 'Ada Lovelace', password: PASSWORD })

const emailsIn = async (owner: Browser) =>
  peopleAnswer.parse((await owner.get('/dashboard/people')).body).people.map(({ email }) => email)

const asOperator = (work: Parameters<ReturnType<typeof api.database.orm.em.fork>['transactional']>[0]) =>
  api.database.orm.em.fork().transactional(work)

const setDisabledTo = (disabledAt: Date | null, { personId: id }: { personId: string }) =>
  asOperator((em) => setDisabled(em, { id }, { disabledAt, actor: 'operator' }))

describe('nobody is let into a project', () => {
  test('by an account that a stranger has made for the address before, whatever the owner does but send the link', async () => {
    const [stranger, { owner }] = [await ownerOfOwn(), await ownerOfOwn()]
    const { email, token } = await invite(stranger.owner)
    const squatter = openBrowser(api.url)
    expect((await accept(token, squatter)).status).toBe(200)

    const wanted = await invite(owner, email.toUpperCase(), 'owner')
    expect(await emailsIn(owner)).not.toContain(email)
    const { session } = sessionAnswer.parse((await squatter.get('/dashboard/session')).body)
    expect(session.projects.map(({ id }) => id)).not.toContain(owner.project)
    // The one who has the link is told to sign in to the account, which is not that one's: the link stays unused.
    expect(await accept(wanted.token)).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/account/) },
    })
    expect(await emailsIn(owner)).not.toContain(email)
    const { invitations } = invitationsAnswer.parse((await owner.get('/dashboard/invitations')).body)
    expect(invitations.map(({ id }) => id)).toEqual([wanted.invitation.id])
  })

  test.each<[string, (made: Awaited<ReturnType<typeof invite>>, owner: Browser & { personId: string }) => unknown]>([
    ['accepted', ({ token }) => accept(token)],
    ['withdrawn', ({ invitation }, owner) => owner.delete(`/dashboard/invitations/${invitation.id}`)],
    ['expired', () => api.clock.advance(INVITATION_SECONDS * 1000)],
    ['replaced by another of the same address', ({ email }, owner) => invite(owner, email.toUpperCase(), 'support')],
    [
      'of an owner who was removed',
      (_, { project, personId }) => {
        const projectId = String(project).replace('test-', '')
        return asOperator((em) => removeMember(em, { projectId, personId, actor: 'operator' }))
      },
    ],
    [
      'of an owner who is only a developer now',
      (_, { personId }) =>
        api.database.orm.em
          .fork()
          .execute("update project_member set role = 'developer' where person_id = ?", [personId]),
    ],
    ['of an owner who was disabled', (_, owner) => setDisabledTo(api.clock.now(), owner)],
  ])('by a link that is %s', async (_, end) => {
    const { projectId, owner } = await ownerOfOwn()
    await signedInAs(api, 'owner', projectId)
    const made = await invite(owner)
    const known = await makeAccount(api)
    const knownsToken = (await invite(owner, known.email)).token
    await end(made, owner)
    const [act] = await api.database.orm.em
      .fork()
      .execute<{ kind: string }[]>(
        "select kind from audit_entry where facts::jsonb ->> 'invitation_id' = ? and kind <> 'project.person-invited'",
        [made.invitation.id],
      )
    // Neither time nor a hand in the database makes an act.
    const none = /expired|only a developer/.test(_) ? undefined : 'project.invitation-withdrawn'
    expect(act?.kind).toBe(_ === 'accepted' ? 'project.person-added' : none)
    const before = await api.database.dump()
    for (const path of ['invitation', 'account']) {
      const body = path === 'account' ? { token: made.token, name: 'Eve', password: PASSWORD } : { token: made.token }
      const answer = await openBrowser(api.url).post(`/dashboard/${path}`, body)
      const code = `resource.invitation.${_ === 'expired' ? 'expired' : 'not-found'}`
      expect([path, answer.status, answer.body.error_type]).toEqual([path, 404, code])
    }
    expect(await api.database.dump()).toBe(before)
    // What ends the inviter's invitations ends those of an account, too.
    if (!/owner|expired/.test(_)) return
    const browser = openBrowser(api.url)
    await browser.signIn(known.email, PASSWORD)
    expect((await browser.post('/dashboard/membership', { token: knownsToken })).status).toBe(404)
  })

  test.each<[string, (member: { projectId: string; personId: string; actor: string }) => Promise<unknown>]>([
    ['removed', (member) => asOperator((em) => removeMember(em, member))],
    ['a developer', (member) => asOperator((em) => changeRole(em, { ...member, role: 'developer' }))],
    ['disabled', (member) => setDisabledTo(api.clock.now(), member)],
  ])('by a link of an owner who was %s and is an owner again', async (_, end) => {
    const { projectId, owner } = await ownerOfOwn()
    await signedInAs(api, 'owner', projectId)
    const { token } = await invite(owner)
    const member = { projectId, personId: owner.personId, actor: 'operator' }
    await end(member)
    await asOperator((em) => addMember(em, { ...member, role: 'owner', now: api.clock.now() }))
    await asOperator((em) => changeRole(em, { ...member, role: 'owner' }))
    await setDisabledTo(null, member)
    expect((await accept(token)).status).toBe(404)
  })

  test('by the link of another address, which stays unused', async () => {
    const { owner } = await ownerOfOwn()
    const { email, token } = await invite(owner)
    const other = await signedInAs(api, 'owner')
    const refused = await other.post('/dashboard/membership', { token })
    expect([refused.status, refused.body.error_type]).toEqual([400, 'request.validation.invalid-state'])
    expect(refused.body.message).toContain(`The invitation is for ${email}`)
    expect((await accept(token)).status).toBe(200)
  })

  test('by pages of others, without the token of the session, and without a session', async () => {
    const { owner } = await ownerOfOwn()
    const known = await makeAccount(api)
    const { token } = await invite(owner, known.email)
    const browser = openBrowser(api.url)
    expect((await browser.post('/dashboard/membership', { token })).status).toBe(401)
    await browser.signIn(known.email, PASSWORD)
    for (const [path, headers] of [
      ['membership', { 'x-csrf-token': null }],
      ['membership', { origin: 'https://evil.example' }],
      ['account', { origin: 'https://evil.example' }],
      ['invitation', { 'sec-fetch-site': 'cross-site' }],
    ] as const)
      expect(
        (await browser.ask('POST', `/dashboard/${path}`, { token, name: 'x', password: PASSWORD }, headers)).status,
      ).toBe(403)
    expect(await emailsIn(owner)).not.toContain(known.email)
  })
})

describe('an invitation', () => {
  test('makes an account with a password that only its person knows, and a member by its role', async () => {
    const { projectId, owner } = await ownerOfOwn()
    const { email, token, invitation } = await invite(owner, 'Ada@Example.com', 'support')
    expect([email, invitation.email, invitation.invited_by]).toEqual([
      'Ada@Example.com',
      'ada@example.com',
      expect.stringMatching(/^Person/),
    ])
    const shown = openInvitationAnswer.parse((await openBrowser(api.url).post('/dashboard/invitation', { token })).body)
    expect(shown.invitation).toMatchObject({ project_name: 'Shop', email: 'ada@example.com', role: 'support' })
    const ada = openBrowser(api.url)
    const { session } = sessionAnswer.parse((await accept(token, ada)).body)
    expect(session.projects.map(({ id, role }) => [id, role])).toEqual([
      [`test-${projectId}`, 'support'],
      [projectId, 'support'],
    ])
    ada.project = `test-${projectId}`
    expect((await ada.get('/dashboard/payments')).status).toBe(200)
    expect((await openBrowser(api.url).signIn('ada@example.com', PASSWORD)).status).toBe(200)
    const acts = await api.database.orm.em
      .fork()
      .execute<{ kind: string; actor: string; facts: string }[]>(
        "select kind, actor, facts from audit_entry where project_id = ? and kind like 'project.%' order by number desc limit 2",
        [projectId],
      )
    const { id } = session.person
    expect(acts.map(({ kind, actor, facts }) => [kind, actor, JSON.parse(facts)])).toEqual([
      ['project.person-added', `person:${id}`, { person_id: id, role: 'support', invitation_id: invitation.id }],
      ['project.person-invited', `person:${owner.personId}`, { invitation_id: invitation.id, role: 'support' }],
    ])
  })

  test('is answered alike for an address with an account, whose person accepts it in a session', async () => {
    const { projectId, owner } = await ownerOfOwn()
    const known = await makeAccount(api, { roles: { [api.merchant.projectId]: 'support' } })
    const [ofKnown, ofUnknown] = [await invite(owner, known.email), await invite(owner)]
    const shape = ({ email: _, token, invitation }: Awaited<ReturnType<typeof invite>>) => [
      token.length,
      { ...invitation, id: invitation.id.length, email: '' },
    ]
    expect(shape(ofKnown)).toEqual(shape(ofUnknown))
    const shown = async ({ token }: { token: string }) => {
      const { body } = await openBrowser(api.url).post('/dashboard/invitation', { token })
      return { ...openInvitationAnswer.parse(body).invitation, email: '' }
    }
    expect(await shown(ofKnown)).toEqual(await shown(ofUnknown))
    const browser = openBrowser(api.url)
    await browser.signIn(known.email, PASSWORD)
    const { session } = sessionAnswer.parse(
      (await browser.post('/dashboard/membership', { token: ofKnown.token })).body,
    )
    expect(session.projects.map(({ id }) => id)).toContain(projectId)
    expect(await emailsIn(owner)).toContain(known.email)
    const member = await owner.post('/dashboard/invitations', { email: known.email, role: 'owner' })
    expect([member.status, member.body.invalid_fields[0].name]).toEqual([400, 'email'])
  })

  test('is listed until it ends, for the owners of its project, who alone withdraw it', async () => {
    const [{ owner }, other] = [await ownerOfOwn(), await ownerOfOwn()]
    const { invitation } = await invite(owner)
    const listed = async (by: Browser) =>
      invitationsAnswer.parse((await by.get('/dashboard/invitations')).body).invitations
    expect([await listed(owner), await listed(other.owner)]).toEqual([[invitation], []])
    for (const id of [invitation.id, 'invt_none', '*'])
      expect((await other.owner.delete(`/dashboard/invitations/${id}`)).status).toBe(404)
    doneAnswer.parse((await owner.delete(`/dashboard/invitations/${invitation.id}`)).body)
    expect(await listed(owner)).toEqual([])
  })

  test('is one of twenty an hour, whoever makes them, and not for another project', async () => {
    const [{ projectId, owner }, other] = [await ownerOfOwn(), await ownerOfOwn()]
    const second = await signedInAs(api, 'owner', projectId)
    const statuses: number[] = []
    for (let nth = 0; nth < INVITATION_LIMIT + 2; nth += 1) {
      const by = nth % 2 === 0 ? owner : second
      const answer = await by.post('/dashboard/invitations', { email: newEmail(), role: 'support' })
      statuses.push(answer.status)
      if (answer.status === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(60)
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(INVITATION_LIMIT)
    await invite(other.owner)
  })

  test('leaves neither its link nor a password in the database, a log or the request log', async () => {
    const { owner } = await ownerOfOwn()
    const { email, token } = await invite(owner)
    await accept(token)
    await accept(token)
    const member = await owner.post('/dashboard/invitations', { email, role: 'support' })
    expect(member.status).toBe(400)
    await api.flushRequestLog()
    const written = `${await api.database.dump()}\n${api.log.text()}`
    for (const secret of [token, token.slice(7), PASSWORD]) expect(written).not.toContain(secret)
    const logged = await api.database.orm.em
      .fork()
      .execute<{ request_body: object }[]>("select request_body from api_request where path = '/dashboard/invitations'")
    expect(JSON.stringify(logged)).not.toContain(email)
  })

  test.each([
    ['/dashboard/invitations', { email: 'no address', role: 'admin', admin: true }, ['admin', 'email', 'role']],
    ['/dashboard/account', { token: 'x', name: '', password: 'x'.repeat(201) }, ['name', 'password']],
    ['/dashboard/invitation', {}, ['token']],
  ])('%s %j names what is wrong', async (path, body, fields) => {
    const { owner } = await ownerOfOwn()
    const answer = await owner.post(path, body)
    expect([answer.status, answer.body.invalid_fields.map(({ name }: { name: string }) => name).sort()]).toEqual([
      400,
      fields,
    ])
  })
})
