import { describe, expect, test } from '@jest/globals'
import { webhookFixtureForFile } from '../../http/webhook-fixture.ts'
import { forFile } from '../../support/for-file.ts'

const URL = 'https://shop.example/webhooks'
const NOT_FOUND = { status: 404, body: { success: false, error_type: 'resource.webhook-endpoint.not-found' } }

const api = webhookFixtureForFile()
const live = forFile(async () => api.live)
const stranger = forFile(async () => api.makeMerchant({ sandbox: true }))

const create = (fields: object, merchant = api.merchant) => merchant.client.post('/webhook-endpoints', fields)

describe('a webhook endpoint is not created', () => {
  test('without encryption in the live environment', async () => {
    const plain = { url: 'http://shop.example/' }
    expect(await create(plain, live)).toMatchObject({
      status: 400,
      body: { invalid_fields: [{ name: 'url', message: 'must be https in the live environment' }] },
    })
    expect((await create(plain)).status).toBe(200)
  })

  test('as the seventeenth, in whatever race, and in each environment by itself', async () => {
    const answers = await Promise.all(Array.from({ length: 24 }, () => create({ url: URL }, live)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(16)
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(answer).toMatchObject({ status: 400, body: { error_type: 'request.validation.invalid-state' } })
      expect(answer.body.message).toContain('16 webhook endpoints')
    }
    const { body } = await live.client.get('/webhook-endpoints?limit=100')
    expect(body.total_count).toBe(16)
    expect((await create({ url: URL })).status).toBe(200)

    // A deleted one makes room for another.
    await live.client.delete(`/webhook-endpoints/${body.webhook_endpoints[0].id}`)
    const again = await Promise.all(Array.from({ length: 3 }, () => create({ url: URL }, live)))
    expect(again.map(({ status }) => status).toSorted()).toEqual([200, 400, 400])
  })
})

describe('a webhook endpoint', () => {
  test('is created with a URL alone, takes all events, and tells its secret once', async () => {
    const { status, body } = await create({ url: URL })
    expect(status).toBe(200)
    const { secret, ...shown } = body.webhook_endpoint
    expect(body).toEqual({
      success: true,
      webhook_endpoint: {
        id: expect.stringMatching(/^whe_[0-9A-Za-z]{32}$/),
        project_id: api.merchant.projectId,
        url: URL,
        description: null,
        events_whitelist: null,
        enabled: true,
        disabled_reason: null,
        disabled_at: null,
        sign_with_ed25519: false,
        public_key: null,
        failing_since: null,
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
        sandbox: true,
        created_at: '2026-11-21T09:00:00.000Z',
        updated_at: '2026-11-21T09:00:00.000Z',
      },
    })
    expect(await api.secrets(shown.id, 'hmac')).toEqual([secret])
    const { client } = api.merchant
    expect((await client.get(`/webhook-endpoints/${shown.id}`)).body).toEqual({
      success: true,
      webhook_endpoint: shown,
    })
    const { body: list } = await client.get('/webhook-endpoints')
    expect(list).toMatchObject({ count: 1, total_count: 1, has_more: false })
    expect(list.webhook_endpoints).toEqual([shown])
  })

  test('is created with all that can be said of it, in JSON and in a form', async () => {
    const given = {
      url: URL,
      description: 'The books',
      events_whitelist: ['transaction.captured', 'invoice.completed'],
      enabled: false,
      sign_with_ed25519: true,
    }
    const shown = {
      ...given,
      disabled_reason: 'merchant',
      disabled_at: '2026-11-21T09:00:00.000Z',
      public_key: expect.stringMatching(/^whpk_[A-Za-z0-9+/]{43}=$/),
    }
    expect((await create(given)).body.webhook_endpoint).toMatchObject(shown)
    const form = await api.merchant.client.post('/webhook-endpoints', given, { form: true })
    expect(form.body.webhook_endpoint).toMatchObject(shown)
  })

  test('receives what it takes from then on, and nothing of another environment or project', async () => {
    const [all, some, none] = [
      await api.endpoint({ url: `${URL}/1` }),
      await api.endpoint({ url: `${URL}/2`, events_whitelist: ['customer.created'] }),
      await api.endpoint({ url: `${URL}/3`, events_whitelist: ['customer.deleted'] }),
    ]
    await api.endpoint({}, live)
    await api.endpoint({}, stranger)
    await api.endpoint({ url: `${URL}/4`, enabled: false })
    api.announced.length = 0
    const eventId = await api.fire()
    expect((await api.deliveries(eventId)).map(({ endpointId }) => endpointId)).toEqual([all.id, some.id])
    expect(api.announced).toMatchObject([{ eventId, eventName: 'customer.created', run: 0 }])
    expect(none.enabled).toBe(true)
  })
})

describe('a webhook endpoint that is changed', () => {
  const put = (id: string, fields: object) => api.merchant.client.put(`/webhook-endpoints/${id}`, fields)

  test('changes in what is given, and in nothing else', async () => {
    const { secret, ...before } = await api.endpoint({ description: 'x', events_whitelist: ['card.updated'] })
    const path = `/webhook-endpoints/${before.id}`
    const nulls = { url: null, description: null, events_whitelist: null, enabled: null, sign_with_ed25519: null }
    expect((await put(before.id, nulls)).body.webhook_endpoint).toEqual(before)
    api.clock.advance(1_000)
    const { status, body } = await put(before.id, { url: `${URL}/new`, description: '' })
    const changed = { url: `${URL}/new`, description: null, updated_at: api.clock.now().toISOString() }
    expect({ status, body }).toEqual({
      status: 200,
      body: { success: true, webhook_endpoint: { ...before, ...changed } },
    })
    expect((await api.merchant.client.get(path)).body).toEqual(body)
    expect((await put(before.id, { events_whitelist: ['*'] })).body.webhook_endpoint.events_whitelist).toBeNull()
    expect(await api.secrets(before.id, 'hmac')).toEqual([secret])
  })

  test('and disabled receives nothing new, until it is enabled', async () => {
    const { id } = await api.endpoint()
    expect((await put(id, { enabled: false })).body.webhook_endpoint).toMatchObject({
      enabled: false,
      disabled_reason: 'merchant',
      disabled_at: api.clock.now().toISOString(),
    })
    expect(await api.deliveries(await api.fire())).toEqual([])
    expect((await put(id, { enabled: true })).body.webhook_endpoint).toMatchObject({
      enabled: true,
      disabled_reason: null,
      disabled_at: null,
    })
    expect(await api.deliveries(await api.fire())).toMatchObject([{ endpointId: id }])
  })

  const FAILING = {
    failingSince: new Date('2026-11-15T00:00:00Z'),
    lastFailureAt: new Date('2026-11-20T00:00:00Z'),
    goneCount: 2,
  }
  const OFF = { enabled: false, disabledReason: 'failing', disabledAt: new Date('2026-11-20T00:00:00Z') } as const
  const HEALTHY = { failingSince: null, lastFailureAt: null, goneCount: 0 }

  test('and enabled again begins anew; what is enabled already keeps its record', async () => {
    const { id } = await api.endpoint()
    await api.change(id, FAILING)
    expect((await put(id, { enabled: true })).body.webhook_endpoint.failing_since).toBe('2026-11-15T00:00:00.000Z')
    expect(await api.row(id)).toMatchObject(FAILING)
    await api.change(id, OFF)
    expect((await put(id, { description: 'x' })).body.webhook_endpoint).toMatchObject({ disabled_reason: 'failing' })
    expect(await api.row(id)).toMatchObject({ ...FAILING, ...OFF })
    expect((await put(id, { enabled: true })).body.webhook_endpoint.failing_since).toBeNull()
    expect(await api.row(id)).toMatchObject({ ...HEALTHY, enabled: true, disabledReason: null, disabledAt: null })
  })

  test('to another address begins anew, too', async () => {
    const { id } = await api.endpoint()
    await api.change(id, FAILING)
    await put(id, { url: URL })
    expect(await api.row(id)).toMatchObject(FAILING)
    await put(id, { url: `${URL}/new` })
    expect(await api.row(id)).toMatchObject(HEALTHY)
  })

  test('and disabled by its merchant after it was by us says so, and since when', async () => {
    const { id } = await api.endpoint()
    await api.change(id, { ...FAILING, ...OFF })
    await put(id, { enabled: false })
    expect(await api.row(id)).toMatchObject({ ...FAILING, ...OFF, disabledReason: 'merchant' })
  })
})

describe('a webhook endpoint that is deleted', () => {
  test('is not found, by whatever request', async () => {
    const { id } = await api.endpoint()
    const { client } = api.merchant
    const path = `/webhook-endpoints/${id}`
    await client.delete(path)
    const answers = [
      await client.get(path),
      await client.put(path, { enabled: false }),
      await client.delete(path),
      await client.post(`${path}/rotate-secret`),
      await client.post(`${path}/test`),
      await client.post(`${path}/recover`, { since: '2026-11-01T00:00:00Z' }),
      await client.get(`${path}/webhooks`),
    ]
    for (const answer of answers) expect(answer).toMatchObject(NOT_FOUND)
    expect((await client.get('/webhook-endpoints')).body.webhook_endpoints).toEqual([])
  })

  test('has failed in what it waits for, keeps what it got, and has no secret left', async () => {
    const gone = await api.endpoint({ url: `${URL}/1`, sign_with_ed25519: true })
    const other = await api.endpoint({ url: `${URL}/2` })
    const [delivered, failedBefore, waiting] = [await api.fire(), await api.fire(), await api.fire()]
    await api.end(delivered, 'delivered')
    await api.end(failedBefore, 'failed')
    api.clock.advance(1)
    expect((await api.merchant.client.delete(`/webhook-endpoints/${gone.id}`)).body).toEqual({ success: true })

    expect(await api.deliveries(waiting)).toMatchObject([
      { endpointId: gone.id, status: 'failed', releaseAt: null, endedAt: api.clock.now() },
      { endpointId: other.id, status: 'pending', endedAt: null },
    ])
    expect((await api.deliveries(delivered)).map(({ status }) => status)).toEqual(['delivered', 'delivered'])
    expect([...(await api.secrets(gone.id, 'hmac')), ...(await api.secrets(gone.id, 'ed25519'))]).toEqual([])
    expect(await api.secrets(other.id, 'hmac')).toHaveLength(1)
    const toldOf = async (eventId: string) => {
      const { body } = await api.merchant.client.get(`/events/${eventId}/webhooks`)
      const ofEndpoint = ({ endpoint_id: id, failure_reason: reason }: Record<string, string>) => [id, reason] as const
      return Object.fromEntries(body.webhooks.map(ofEndpoint))
    }
    expect(await toldOf(waiting)).toEqual({ [gone.id]: 'endpoint_deleted', [other.id]: null })
    expect(await toldOf(delivered)).toEqual({ [gone.id]: null, [other.id]: null })
    expect(await toldOf(failedBefore)).toEqual({ [gone.id]: null, [other.id]: null })
  })
})

describe('a webhook endpoint that is tried out', () => {
  const tryOut = (id: string, fields = {}) => api.merchant.client.post(`/webhook-endpoints/${id}/test`, fields)

  test('while it is disabled is 400, and nothing is fired', async () => {
    const { id } = await api.endpoint({ enabled: false })
    api.announced.length = 0
    expect(await tryOut(id)).toMatchObject({
      status: 400,
      body: { error_type: 'request.validation.invalid-state', message: expect.stringContaining('disabled') },
    })
    expect(api.announced).toEqual([])
  })

  test('is sent an event of its own, whatever it takes, and nobody else is', async () => {
    const tried = await api.endpoint({ events_whitelist: ['card.updated'] })
    await api.endpoint({ url: `${URL}/2` })
    api.announced.length = 0
    const { status, body } = await tryOut(tried.id)
    const { secret: _, ...shown } = tried
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        success: true,
        event: {
          id: expect.stringMatching(/^ev_/),
          name: 'webhook-endpoint.test',
          data: { name: 'webhook-endpoint.test', sandbox: true, webhook_endpoint: shown },
        },
      },
    })
    expect(JSON.stringify(body)).not.toContain('whsec_')
    expect((await api.merchant.client.get(`/events/${body.event.id}`)).body).toEqual(body)
    expect(await api.deliveries(body.event.id)).toMatchObject([{ endpointId: tried.id, status: 'pending', run: 0 }])
    expect(api.announced).toMatchObject([{ eventId: body.event.id, eventName: 'webhook-endpoint.test' }])
  })
})
