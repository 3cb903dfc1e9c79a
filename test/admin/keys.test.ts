import { beforeAll, describe, expect, test } from '@jest/globals'
import { KEY_VARIABLES } from '../../src/keys/keys-file.ts'
import { findKeyProofs } from '../../src/persistence/queries/encrypted/service-keys.ts'
import { actsOn } from './acts.ts'
import { adminStageForFile } from './stage.ts'

const stage = adminStageForFile()
let projectId: string

beforeAll(async () => {
  projectId = (await stage.createProject('Key shop')).projectId
})

/** What `api-keys create` has printed, by its headings. */
const factsIn = (stdout: string) =>
  Object.fromEntries([...stdout.matchAll(/^(\w+(?: \w+)*) {2,}(\S+)$/gm)].map(([, name, value]) => [name, value]))

describe('a secret key', () => {
  test('is not made where a word of it is wrong', async () => {
    const before = await stage.api.database.dump()
    const cases: [string[], string][] = [
      [['production'], 'A key is for live or for sandbox, not for "production".'],
      [['live', '--permissions', 'read,admin'], '"admin" is not a permission; there are read, payments'],
      [['live', '--permissions', ''], '"" is not a permission'],
      [['live', '--name', ' '], 'The name of a key has 1 to 60 characters'],
      [['live', '--name', 'two\nlines'], 'none of them a control character.'],
      [['live', '--name', 'cleared \x1b[2J'], 'none of them a control character.'],
      [['live', '--name', 'turned \u202e'], 'none of them a control character.'],
    ]
    for (const [args, sentence] of cases) {
      const { code, stdout, stderr } = await stage.admin('api-keys', 'create', projectId, ...args)
      expect([args, code, stdout]).toEqual([args, 2, ''])
      expect(stderr).toContain(sentence)
    }
    expect(await stage.api.database.dump()).toBe(before)
  })

  test('decides the environment, does what its permissions say, and is refused from the request after it was revoked', async () => {
    const made = await stage.admin('api-keys', 'create', `test-${projectId}`, 'live', '--name', 'Reports')
    expect(made).toMatchObject({ code: 0, stderr: '' })
    const live = factsIn(made.stdout)
    expect(live).toMatchObject({ 'project id': projectId, 'secret key': expect.stringMatching(/^key_live_\w{32}$/) })
    const reading = await stage.admin('api-keys', 'create', projectId, 'sandbox', '--permissions', 'webhooks, read')
    const sandbox = factsIn(reading.stdout)
    expect(sandbox).toMatchObject({
      'project id': `test-${projectId}`,
      permissions: 'read,webhooks',
      'secret key': expect.stringMatching(/^key_sandbox_\w{32}$/),
    })

    const liveClient = stage.clientOf(projectId, String(live['secret key']))
    const sandboxClient = stage.clientOf(`test-${projectId}`, String(sandbox['secret key']))
    const invoice = { name: 'Order', amount: '10.00', currency: 'EUR' }
    expect((await liveClient.post('/invoices', invoice)).body.invoice).toMatchObject({ sandbox: false })
    expect((await sandboxClient.get('/invoices')).body).toMatchObject({ success: true, invoices: [] })
    expect(await sandboxClient.post('/invoices', invoice)).toMatchObject({
      status: 403,
      body: { error_type: 'request.authentication.missing-permission' },
    })

    const id = String(live['key id'])
    expect((await stage.admin('api-keys', 'revoke', id)).stdout).toBe(`${id} is revoked.\n`)
    expect((await liveClient.get('/invoices')).status).toBe(401)
    expect((await sandboxClient.get('/invoices')).status).toBe(200)
    const again = await stage.admin('api-keys', 'revoke', id)
    expect(again).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^key_\w+ was revoked before, at \d{4}-\d\d-\d\d /),
    })
    expect((await actsOn(stage, projectId)).slice(2)).toMatchObject([
      { kind: 'api-key.created', sandbox: false, facts: { api_key_id: id, name: 'Reports' } },
      { kind: 'api-key.created', sandbox: true, facts: { permissions: ['read', 'webhooks'] } },
      { kind: 'api-key.revoked', sandbox: false, facts: { api_key_id: id } },
    ])

    const { stdout } = await stage.admin('api-keys', 'list', projectId)
    expect(stdout).toMatch(new RegExp(`^${id} +live +Reports +${String(live['secret key']).slice(-4)} .*UTC$`, 'm'))
    const told = `${stdout}\n${await stage.api.database.dump()}`
    for (const secret of [live['secret key'], sandbox['secret key']]) {
      expect(told).not.toContain(String(secret).replace(/^key_(live|sandbox)_/, ''))
    }
  })

  test('that is given in place of its id is not repeated to the screen', async () => {
    const { secretKey } = await stage.createProject('Other shop')
    const refused = await stage.admin('api-keys', 'revoke', secretKey)
    expect(refused).toEqual({
      code: 2,
      stdout: '',
      stderr: 'That is a secret. "api-keys list" tells the id of its key.\n',
    })
  })

  test('is not made with the keys of another database, nor is a project', async () => {
    const before = await stage.api.database.dump()
    const right = KEY_VARIABLES.map((name) => [name, process.env[name]] as const)
    for (const [name] of right) {
      const isRing = name.endsWith('_KEYS')
      process.env[name] = `${isRing ? 'other:' : ''}${Buffer.alloc(32, name).toString('base64')}`
    }
    for (const args of [
      ['api-keys', 'create', projectId, 'sandbox'],
      ['projects', 'create', 'My shop'],
      ['encryption-keys', 'rotate'],
      ['encryption-keys', 'retire', 'other'],
      ['encryption-keys', 'status'],
    ]) {
      const { code, stdout, stderr } = await stage.admin(...args)
      expect([args, code]).toEqual([args, 1])
      expect(stderr).toContain('These are not the keys of this database: FINGERPRINT_KEY; API_SECRET_HASH_KEY;')
      expect(stdout).not.toContain('key_')
      for (const [name] of right) expect(stderr).not.toContain(String(process.env[name]))
    }
    Object.assign(process.env, Object.fromEntries(right))
    expect(await stage.api.database.dump()).toBe(before)
    expect(await stage.admin('encryption-keys', 'status')).toMatchObject({ code: 0, stderr: '' })
  })

  test('of the service that is missing is shown by the status, which then ends with 1', async () => {
    const { client } = await stage.createProject('Card shop')
    const card = await client.post('/cards', { number: '4242424242424242', exp_month: 12, exp_year: 2040 })
    expect(card.status).toBe(200)
    const { CARD_NUMBER_KEYS } = process.env
    process.env.CARD_NUMBER_KEYS = `other:${Buffer.alloc(32, 7).toString('base64')}`
    const status = await stage.admin('encryption-keys', 'status')
    Object.assign(process.env, { CARD_NUMBER_KEYS })
    expect(status).toMatchObject({ code: 1, stderr: 'Keys are missing: 1 card number needs n1.\n' })
    expect(status.stdout).toMatch(/^n1 +CARD_NUMBER_KEYS +MISSING +1 card number$/m)
  })

  test('of the service is proven from its rotation on, until it is retired', async () => {
    const names = async () => [...(await findKeyProofs(stage.api.database.orm.em.fork())).keys()]
    const { CARD_NUMBER_KEYS } = process.env
    process.env.CARD_NUMBER_KEYS = `older:${Buffer.alloc(32, 7).toString('base64')},${CARD_NUMBER_KEYS}`
    expect(await stage.admin('encryption-keys', 'rotate')).toMatchObject({ code: 0, stderr: '' })
    expect(await names()).toContain('CARD_NUMBER_KEYS older')
    expect(await stage.admin('encryption-keys', 'retire', 'older')).toMatchObject({ code: 0, stderr: '' })
    expect(await names()).not.toContain('CARD_NUMBER_KEYS older')
    Object.assign(process.env, { CARD_NUMBER_KEYS })
    expect(await names()).toContain('CARD_NUMBER_KEYS n1')
  })
})
