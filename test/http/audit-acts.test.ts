import { beforeAll, describe, expect, test } from '@jest/globals'
import { ApiKeyEntity } from '../../src/persistence/entities/api-key.ts'
import { readLog, verified } from '../support/audit-log.ts'
import { createClientWithKeys, type PostWithKey } from './client-with-keys.ts'
import { webhookFixtureForFile } from './webhook-fixture.ts'

/** A receiver whose address is a secret, as those of chat programs are. */
const SECRET_URL = 'https://hooks.example/services/T000/B000/XXXX?token=letmein'

const api = webhookFixtureForFile()
const post: PostWithKey = (...asked) => createClientWithKeys(api.url, api.merchant)(...asked)
let actor: string

beforeAll(async () => {
  const { projectId } = api.merchant
  const { id } = await api.database.orm.em.fork().findOneOrFail(ApiKeyEntity, { projectId, sandbox: true })
  actor = `api_key:${id}`
})

/** The acts on the project since it was made, by the API's callers. */
const acts = async () =>
  (await readLog(api.database, `project ${api.merchant.projectId}`))
    .filter(({ kind }) => !/^(project|api-key)\./.test(kind))
    .map(({ kind, actor: by, sandbox, facts }) => ({ kind, actor: by, sandbox, facts: JSON.parse(facts) }))

describe('the audit log has no act', () => {
  test('of a request that was refused', async () => {
    const { id } = await api.endpoint()
    const before = await acts()
    const { client } = api.merchant
    await client.post('/webhook-endpoints', { url: 'http://127.0.0.1/' })
    await client.put(`/webhook-endpoints/${id}`, { url: 'ftp://shop.example' })
    await client.post(`/webhook-endpoints/${id}/rotate-secret`, { previous_expires_in: -1 })
    await api.live.client.post(`/webhook-endpoints/${id}/rotate-secret`, {})
    expect(await acts()).toEqual(before)
  })

  test('twice of a request that came twice with its key', async () => {
    const before = await acts()
    await post('/webhook-endpoints', 'act-1', { url: SECRET_URL })
    await post('/webhook-endpoints', 'act-1', { url: SECRET_URL })
    expect(await acts()).toHaveLength(before.length + 1)
  })
})

describe('the audit log tells', () => {
  test('what a key has done to a webhook endpoint, without its address and its secrets', async () => {
    const before = (await acts()).length
    const { client } = api.merchant
    const { id, secret } = await api.endpoint({ url: SECRET_URL, description: 'Ada Lovelace' })
    const eventId = await api.fire()
    await client.put(`/webhook-endpoints/${id}`, { url: 'https://shop.example/other', enabled: true })
    const rotated = await client.post(`/webhook-endpoints/${id}/rotate-secret`, {})
    const tested = await client.post(`/webhook-endpoints/${id}/test`, {})
    await api.end(eventId, 'failed')
    api.clock.advance(1_000)
    await client.post(`/webhook-endpoints/${id}/recover`, {
      since: new Date(api.clock.now().getTime() - 60_000).toISOString(),
    })
    await client.post(`/events/${eventId}/resend`, { endpoint_id: id })
    await client.delete(`/webhook-endpoints/${id}`)
    const done = (await acts()).slice(before)
    const by = { actor, sandbox: true }
    const endpoint = { webhook_endpoint_id: id, origin: 'https://shop.example' }
    expect(done).toEqual([
      {
        kind: 'webhook-endpoint.created',
        ...by,
        facts: {
          webhook_endpoint_id: id,
          origin: 'https://hooks.example',
          enabled: true,
          events_whitelist: null,
          sign_with_ed25519: false,
        },
      },
      {
        kind: 'webhook-endpoint.changed',
        ...by,
        facts: expect.objectContaining({ ...endpoint, enabled: true, changed: ['url', 'enabled'] }),
      },
      { kind: 'webhook-endpoint.secret-rotated', ...by, facts: expect.objectContaining(endpoint) },
      {
        kind: 'webhook-endpoint.tested',
        ...by,
        facts: expect.objectContaining({ ...endpoint, event_id: tested.body.event.id }),
      },
      { kind: 'webhook-endpoint.recovered', ...by, facts: expect.objectContaining({ ...endpoint, count: 1 }) },
      { kind: 'event.resent', ...by, facts: { event_id: eventId, webhook_endpoint_id: id, run: expect.any(Number) } },
      { kind: 'webhook-endpoint.deleted', ...by, facts: expect.objectContaining(endpoint) },
    ])
    const text = JSON.stringify(await readLog(api.database))
    for (const secretText of ['letmein', 'Lovelace', secret, rotated.body.webhook_endpoint.secret])
      expect(text).not.toContain(secretText)
    expect(await verified(api.database)).toEqual([])
  })
})
