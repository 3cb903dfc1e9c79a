import { describe, expect, test } from '@jest/globals'
import { apiKeyAnswer, apiKeysAnswer, doneAnswer, newApiKeyAnswer, personAnswer } from '../../src/dashboard/contract.ts'
import { removeMember } from '../../src/persistence/queries/people/members.ts'
import { setDisabled } from '../../src/persistence/queries/people/people.ts'
import { interfaceForFile } from '../http/interface.ts'
import { countWaiting } from '../support/held-lock.ts'
import { createHttpClient } from '../support/http-client.ts'
import { waitFor } from '../support/wait-for.ts'
import { signedInAs } from './browser.ts'

const sandboxKeys = new Map<string, string>()
const api = interfaceForFile({ sandboxKey: (id) => sandboxKeys.get(id) ?? null })

/** An owner of a project that nobody else belongs to. */
async function ownerOfOwn() {
  const { projectId } = await api.makeMerchant({ sandbox: true })
  return { projectId, owner: await signedInAs(api, 'owner', projectId) }
}

const actsOn = async (projectId: string) => {
  const rows = await api.database.orm.em
    .fork()
    .execute<{ kind: string; actor: string; facts: string }[]>(
      "select kind, actor, facts from audit_entry where project_id = ? and kind not like '%row-%' order by number",
      [projectId],
    )
  return rows.map(({ kind, actor, facts }) => ({ kind, actor, facts: JSON.parse(facts) }))
}

describe('an owner', () => {
  test('gives roles and takes them, and takes people out, but the last owner who can sign in stays', async () => {
    const { projectId, owner } = await ownerOfOwn()
    const { personId: id } = await signedInAs(api, 'owner', projectId)
    const disabled = { disabledAt: api.clock.now(), actor: 'operator' }
    await api.database.orm.em.fork().transactional((em) => setDisabled(em, { id }, disabled))
    const address = `/dashboard/people/${owner.personId}`
    for (const answer of [await owner.put(address, { role: 'support' }), await owner.delete(address)]) {
      expect([answer.status, answer.body.error_type]).toEqual([400, 'request.validation.invalid-state'])
    }
    const second = await signedInAs(api, 'developer', projectId)
    const changed = await owner.put(`/dashboard/people/${second.personId}`, { role: 'owner' })
    expect(personAnswer.parse(changed.body).person.role).toBe('owner')
    doneAnswer.parse((await second.delete(address)).body)
    expect((await owner.get('/dashboard/people')).status).toBe(404)
    const kinds = (await actsOn(projectId)).map(({ kind }) => kind)
    expect(kinds.slice(-2)).toEqual(['project.role-changed', 'project.person-removed'])
  })

  test('does not leave while the other owner is being removed', async () => {
    const { projectId, owner } = await ownerOfOwn()
    const second = await signedInAs(api, 'owner', projectId)
    const first = api.database.orm.em.fork()
    const by = { projectId, actor: 'operator' }
    await first.begin()
    expect(await removeMember(first, { ...by, personId: owner.personId })).toBe('done')
    const leaving = second.delete(`/dashboard/people/${second.personId}`)
    await waitFor(() => countWaiting(api.database.orm))
    await first.commit()
    expect((await leaving).body.error_type).toBe('request.validation.invalid-state')
  })

  test('changes nobody who is not in the project', async () => {
    const { owner } = await ownerOfOwn()
    const stranger = await signedInAs(api, 'developer')
    for (const id of [stranger.personId, 'pers_none', '*']) {
      expect((await owner.put(`/dashboard/people/${id}`, { role: 'owner' })).body.error_type).toBe(
        'resource.person.not-found',
      )
      expect((await owner.delete(`/dashboard/people/${id}`)).status).toBe(404)
    }
    expect((await stranger.get('/dashboard/payments')).status).toBe(200)
  })
})

describe('API keys', () => {
  test('are made with the permissions asked for, shown once, used, listed by environment, and revoked', async () => {
    const { projectId, owner } = await ownerOfOwn()
    const wanted = { name: 'Shop', permissions: ['payments', 'read'] }
    // The newest comes first.
    api.clock.advance(1_000)
    const made = newApiKeyAnswer.parse((await owner.post('/dashboard/api-keys', wanted)).body)
    expect(made.secret_key).toMatch(/^key_sandbox_\w{32}$/)
    expect(made.api_key).toMatchObject({ name: 'Shop', permissions: ['read', 'payments'], revoked_at: null })
    const client = createHttpClient(api.url, { username: projectId, password: made.secret_key })
    expect((await client.get('/invoices')).status).toBe(200)
    expect((await client.get('/customers')).status).toBe(200)
    expect((await client.post('/webhook-endpoints')).status).toBe(403)

    const listed = async () =>
      apiKeysAnswer.parse((await owner.get('/dashboard/api-keys')).body).api_keys.map(({ id }) => id)
    expect((await listed())[0]).toBe(made.api_key.id)
    owner.project = projectId
    expect(await listed()).toEqual([])
    expect((await owner.delete(`/dashboard/api-keys/${made.api_key.id}`)).body.error_type).toBe(
      'resource.api-key.not-found',
    )
    const live = newApiKeyAnswer.parse((await owner.post('/dashboard/api-keys', wanted)).body)
    expect(live.secret_key).toMatch(/^key_live_/)

    owner.project = `test-${projectId}`
    const revoked = apiKeyAnswer.parse((await owner.delete(`/dashboard/api-keys/${made.api_key.id}`)).body)
    expect(revoked.api_key.revoked_at).not.toBeNull()
    expect((await client.get('/invoices')).status).toBe(401)
  })

  test('of the sandbox that `npm start` has made are shown again, to those who may make some', async () => {
    const { projectId, owner } = await ownerOfOwn()
    const shown = async (person: typeof owner) => {
      const { status, body } = await person.get('/dashboard/sandbox-key')
      return [status, body.secret_key]
    }
    expect(await shown(owner)).toEqual([200, null])
    sandboxKeys.set(projectId, 'key_sandbox_planted')
    expect(await shown(owner)).toEqual([200, 'key_sandbox_planted'])
    const developer = await signedInAs(api, 'developer', projectId)
    expect(await shown(developer)).toEqual([200, 'key_sandbox_planted'])
    const support = await signedInAs(api, 'support', projectId)
    expect(await shown(support)).toEqual([403, undefined])
    owner.project = projectId
    expect(await shown(owner)).toEqual([200, null])
  })

  test('of another project are not there', async () => {
    const [mine, theirs] = [await ownerOfOwn(), await ownerOfOwn()]
    const { api_key: key } = (await theirs.owner.post('/dashboard/api-keys', { name: 'Key', permissions: ['read'] }))
      .body
    expect((await mine.owner.delete(`/dashboard/api-keys/${key.id}`)).status).toBe(404)
  })

  test('need a name and known permissions', async () => {
    const { owner } = await ownerOfOwn()
    for (const [body, field] of [
      [{ permissions: ['read'] }, 'name'],
      [{ name: 'Key' }, 'permissions'],
      [{ name: 'Key', permissions: [] }, 'permissions'],
      [{ name: 'Key', permissions: ['everything'] }, 'permissions.0'],
      [{ name: 'Key', permissions: 'read' }, 'permissions'],
    ] as const) {
      const answer = await owner.post('/dashboard/api-keys', body)
      expect([answer.status, answer.body.invalid_fields?.[0]?.name]).toEqual([400, field])
    }
  })
})
