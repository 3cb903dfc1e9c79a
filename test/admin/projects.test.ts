import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { ProjectEntity } from '../../src/persistence/entities/project.ts'
import { actsOn } from './acts.ts'
import { type AdminStage, shownInstant, startAdminStage } from './stage.ts'

const TIMEOUT_MS = 60_000

let stage: AdminStage

beforeAll(async () => {
  stage = await startAdminStage()
}, TIMEOUT_MS)
afterAll(() => stage.stop())

const projectOf = (id: string) => stage.api.database.orm.em.fork().findOneOrFail(ProjectEntity, { id })

describe('a project', () => {
  test(
    'is refused without a name, and is otherwise made with a key that works and is stored nowhere',
    async () => {
      const nameless = await stage.admin('projects', 'create', ' ')
      expect(nameless).toEqual({ code: 2, stdout: '', stderr: 'A project needs a name.\n' })
      const clearing = await stage.admin('projects', 'create', 'Shop \x1b[2J')
      expect(clearing).toEqual({ code: 2, stdout: '', stderr: 'The name of a project has no control characters.\n' })

      const { projectId, secretKey, client } = await stage.createProject('My shop')
      expect(secretKey).toMatch(/^key_sandbox_[0-9A-Za-z]{32}$/)
      expect((await client.get('/invoices')).status).toBe(200)
      expect(await stage.api.database.dump()).not.toContain(secretKey.slice('key_sandbox_'.length))
      expect(await actsOn(stage, projectId)).toMatchObject([
        { kind: 'project.created', actor: expect.stringMatching(/^operator:./), facts: { name: 'My shop' } },
        { kind: 'api-key.created', facts: { secret_ending: secretKey.slice(-4) } },
      ])
    },
    TIMEOUT_MS,
  )

  test(
    'is listed and shown with everything that belongs to it, but no secret',
    async () => {
      const { projectId, secretKey } = await stage.createProject('Shown shop')
      const madeAt = shownInstant((await projectOf(projectId)).createdAt)
      const listed = await stage.admin('projects', 'list')
      expect(listed.stdout).toMatch(new RegExp(`^${projectId} {2}Shown shop +${madeAt}`, 'm'))

      const shown = await stage.admin('projects', 'show', `test-${projectId}`)
      expect(shown).toMatchObject({ code: 0, stderr: '' })
      for (const line of [
        /^project +proj_/m,
        /^suspended since +-$/m,
        /^allows_client_captures +false$/m,
        /^default_currency +USD$/m,
        /^client_invoice +60$/m,
        /^key_\w{32} +sandbox +- +\w{4} +read,payments,refunds,configuration,webhooks +\d{4}-\d\d-\d\d /m,
        /^gway_conf_\w{32} +sandbox +simulator +Simulator +yes +- +0$/m,
      ]) {
        expect(shown.stdout).toMatch(line)
      }
      expect(shown.stdout).not.toContain(secretKey.slice('key_sandbox_'.length))
    },
    TIMEOUT_MS,
  )

  test(
    'whose name would move the terminal is shown with the numbers of those characters',
    async () => {
      const { projectId } = await stage.createProject('Hostile shop')
      await stage.api.database.orm.em.fork().nativeUpdate(ProjectEntity, { id: projectId }, { name: 'a\x1b[2Jb\u202e' })
      for (const args of [['list'], ['show', projectId]]) {
        const { stdout } = await stage.admin('projects', ...args)
        expect(stdout).toContain('a\\u{1b}[2Jb\\u{202e}')
        for (const raw of ['\x1b', '\u202e']) expect(stdout).not.toContain(raw)
      }
    },
    TIMEOUT_MS,
  )

  test(
    'keeps its options where one is not understood, and has one changed otherwise',
    async () => {
      const { projectId } = await stage.createProject('Option shop')
      const before = await stage.api.database.dump()
      for (const wrong of [
        'default_currency=euro',
        'allows_client_captures=yes',
        'visa_reattempts=0',
        'visa_reattempts=1001',
        'mastercard_declines_per_day=many',
        'mastercard_declines_per_day=1001',
        'mastercard_declines_per_amount=1.5',
        'mastercard_declines_per_amount=1001',
        'enforces_network_limits=1',
        'client_failures_per_invoice=0',
        'client_failures_per_invoice=1000001',
        'client_failures_per_card=1000001',
        'client_failures_per_project=1000001',
        'page_origins=',
        'page_origins=https://shop.example,',
        'page_origins=https://shop.example/checkout',
        'page_origins=https://you@shop.example',
        'page_origins=https://*.example',
        'page_origins=shop.example',
        'page_origins=javascript:alert(1)',
        'page_origins=https://shop.example; script-src *',
        `page_origins=${Array.from({ length: 51 }, (_, n) => `https://shop-${n}.example`).join()}`,
        'suspended_at=now',
        'nonsense',
        '=',
      ]) {
        const { code, stderr } = await stage.admin('projects', 'set', projectId, wrong)
        expect([wrong, code]).toEqual([wrong, 2])
        expect(stderr).toContain('is not an option with its value; there are accepts_partial_approvals=true|false')
      }
      expect(await stage.api.database.dump()).toBe(before)

      for (const assignment of [
        'allows_client_captures=true',
        'allows_client_overrides=true',
        'allows_client_amounts=true',
        'page_origins=https://shop.example,http://localhost:4000/,https://shop.example',
        'default_currency=sek',
        'blocks_stopped_payments=true',
        'enforces_retry_after=true',
        'enforces_network_limits=true',
        'visa_reattempts=1000',
        'mastercard_declines_per_day=1',
        'mastercard_declines_per_amount=1000',
        'client_failures_per_invoice=1000000',
        'client_failures_per_card=1000000',
        'client_failures_per_project=1000000',
      ]) {
        expect(await stage.admin('projects', 'set', `test-${projectId}`, assignment)).toMatchObject({ code: 0 })
      }
      expect(await projectOf(projectId)).toMatchObject({
        allowsClientCaptures: true,
        allowsClientOverrides: true,
        allowsClientAmounts: true,
        pageOrigins: ['https://shop.example', 'http://localhost:4000'],
        acceptsPartialApprovals: false,
        defaultCurrency: 'SEK',
        blocksStoppedPayments: true,
        enforcesRetryAfter: true,
        enforcesNetworkLimits: true,
        visaReattempts: 1000,
        mastercardDeclinesPerDay: 1,
        mastercardDeclinesPerAmount: 1000,
        clientFailuresPerInvoice: 1_000_000,
        clientFailuresPerCard: 1_000_000,
        clientFailuresPerProject: 1_000_000,
      })
      expect(await stage.admin('projects', 'set', projectId, 'default_currency=SEK')).toMatchObject({ code: 0 })
      const again = 'page_origins=https://shop.example,http://localhost:4000'
      expect(await stage.admin('projects', 'set', projectId, again)).toMatchObject({ code: 0 })
      expect((await actsOn(stage, projectId)).slice(2)).toMatchObject([
        { kind: 'project.option-changed', facts: { option: 'allowsClientCaptures', from: false, to: true } },
        { kind: 'project.option-changed', facts: { option: 'allowsClientOverrides', from: false, to: true } },
        { kind: 'project.option-changed', facts: { option: 'allowsClientAmounts', from: false, to: true } },
        {
          kind: 'project.option-changed',
          facts: { option: 'pageOrigins', from: [], to: ['https://shop.example', 'http://localhost:4000'] },
        },
        { kind: 'project.option-changed', facts: { option: 'defaultCurrency', from: 'USD', to: 'SEK' } },
        { kind: 'project.option-changed', facts: { option: 'blocksStoppedPayments', from: false, to: true } },
        { kind: 'project.option-changed', facts: { option: 'enforcesRetryAfter', from: false, to: true } },
        { kind: 'project.option-changed', facts: { option: 'enforcesNetworkLimits', from: false, to: true } },
        { kind: 'project.option-changed', facts: { option: 'visaReattempts', from: 20, to: 1000 } },
        { kind: 'project.option-changed', facts: { option: 'mastercardDeclinesPerDay', from: 10, to: 1 } },
        { kind: 'project.option-changed', facts: { option: 'mastercardDeclinesPerAmount', from: 35, to: 1000 } },
        { kind: 'project.option-changed', facts: { option: 'clientFailuresPerInvoice', from: 10, to: 1_000_000 } },
        { kind: 'project.option-changed', facts: { option: 'clientFailuresPerCard', from: 10, to: 1_000_000 } },
        { kind: 'project.option-changed', facts: { option: 'clientFailuresPerProject', from: 1_000, to: 1_000_000 } },
      ])
    },
    TIMEOUT_MS,
  )

  test(
    'is suspended once and resumed once, and moves money in between for nobody',
    async () => {
      const { projectId, client } = await stage.createProject('Stopped shop')
      const { body } = await client.post('/invoices', { name: 'Order', amount: '10.00', currency: 'EUR' })
      const authorize = () => client.post(`/invoices/${body.invoice.id}/authorize`, { source: 'card_any' })
      stage.api.payments.play(() => ({ kind: 'pending' }))

      const suspended = await stage.admin('projects', 'suspend', projectId)
      expect(suspended.stdout).toBe(`${projectId} is suspended: no new money moves.\n`)
      expect(await authorize()).toMatchObject({ status: 403, body: { error_type: 'request.project-suspended' } })
      const { suspendedAt } = await projectOf(projectId)
      const again = await stage.admin('projects', 'suspend', projectId)
      expect(again.stdout).toBe(`${projectId} has been suspended since ${shownInstant(suspendedAt)}.\n`)
      expect((await projectOf(projectId)).suspendedAt).toEqual(suspendedAt)

      const resumed = await stage.admin('projects', 'resume', projectId)
      expect(resumed.stdout).toBe(`${projectId} is no longer suspended.\n`)
      expect((await authorize()).status).toBe(200)
      expect((await stage.admin('projects', 'resume', projectId)).stdout).toBe(`${projectId} was not suspended.\n`)
      expect((await actsOn(stage, projectId)).slice(2).map(({ kind }) => kind)).toEqual([
        'project.suspended',
        'project.resumed',
      ])
    },
    TIMEOUT_MS,
  )
})
