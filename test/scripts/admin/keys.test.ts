import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { actsOn } from './acts.ts'
import { type AdminStage, startAdminStage } from './stage.ts'

const TIMEOUT_MS = 60_000

let stage: AdminStage
let projectId: string

beforeAll(async () => {
  stage = await startAdminStage()
  projectId = (await stage.createProject('Key shop')).projectId
}, TIMEOUT_MS)
afterAll(() => stage.stop())

/** What `keys create` has printed, by its headings. */
const factsIn = (stdout: string) =>
  Object.fromEntries([...stdout.matchAll(/^(\w+(?: \w+)*) {2,}(\S+)$/gm)].map(([, name, value]) => [name, value]))

describe('a secret key', () => {
  test(
    'is not made where a word of it is wrong',
    async () => {
      const before = await stage.api.database.dump()
      const cases: [string[], string][] = [
        [['production'], 'A key is for live or for sandbox, not for "production".'],
        [['live', '--permissions', 'read,admin'], '"admin" is not a permission; there are read, payments'],
        [['live', '--permissions', ''], '"" is not a permission'],
        [['live', '--name', ' '], 'The name of a key has 1 to 60 characters.'],
        [['live', '--name', 'two\nlines'], 'The name of a key has 1 to 60 characters.'],
      ]
      for (const [args, sentence] of cases) {
        const { code, stdout, stderr } = await stage.admin('keys', 'create', projectId, ...args)
        expect([args, code, stdout]).toEqual([args, 1, ''])
        expect(stderr).toContain(sentence)
      }
      expect(await stage.api.database.dump()).toBe(before)
    },
    TIMEOUT_MS,
  )

  test(
    'decides the environment, does what its permissions say, and is refused from the request after it was revoked',
    async () => {
      const made = await stage.admin('keys', 'create', `test-${projectId}`, 'live', '--name', 'Reports')
      expect(made).toMatchObject({ code: 0, stderr: '' })
      const live = factsIn(made.stdout)
      expect(live).toMatchObject({ 'project id': projectId, 'secret key': expect.stringMatching(/^key_live_\w{32}$/) })
      const reading = await stage.admin('keys', 'create', projectId, 'sandbox', '--permissions', 'webhooks, read')
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
      expect((await stage.admin('keys', 'revoke', id)).stdout).toBe(`${id} is revoked.\n`)
      expect((await liveClient.get('/invoices')).status).toBe(401)
      expect((await sandboxClient.get('/invoices')).status).toBe(200)
      const again = await stage.admin('keys', 'revoke', id)
      expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/^key_\w+ was revoked before, at 2026-/) })
      expect((await actsOn(stage, projectId)).slice(2)).toMatchObject([
        { kind: 'api-key.created', sandbox: false, facts: { api_key_id: id, name: 'Reports' } },
        { kind: 'api-key.created', sandbox: true, facts: { permissions: ['read', 'webhooks'] } },
        { kind: 'api-key.revoked', sandbox: false, facts: { api_key_id: id } },
      ])

      const { stdout } = await stage.admin('keys', 'list', projectId)
      expect(stdout).toMatch(new RegExp(`^${id} +live +Reports +${String(live['secret key']).slice(-4)} .*UTC$`, 'm'))
      const told = `${stdout}\n${await stage.api.database.dump()}`
      for (const secret of [live['secret key'], sandbox['secret key']]) {
        expect(told).not.toContain(String(secret).replace(/^key_(live|sandbox)_/, ''))
      }
    },
    TIMEOUT_MS,
  )

  test(
    'that is given in place of its id is not repeated to the screen',
    async () => {
      const { secretKey } = await stage.createProject('Other shop')
      const refused = await stage.admin('keys', 'revoke', secretKey)
      expect(refused).toEqual({
        code: 1,
        stdout: '',
        stderr: 'That is a secret. "keys list" tells the id of its key.\n',
      })
    },
    TIMEOUT_MS,
  )
})
