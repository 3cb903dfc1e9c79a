import { describe, expect, test } from '@jest/globals'
import { ProjectEntity } from '../../src/persistence/entities/project.ts'
import { actsOn } from './acts.ts'
import { adminStageForFile, shownInstant } from './stage.ts'

const stage = adminStageForFile()

const projectOf = (id: string) => stage.api.database.orm.em.fork().findOneOrFail(ProjectEntity, { id })

describe('a project', () => {
  test('is refused without a name, and is otherwise made with a key that works and is stored nowhere', async () => {
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
  })

  test('is listed and shown with everything that belongs to it, but no secret', async () => {
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
  })

  test('whose name would move the terminal is shown with the numbers of those characters', async () => {
    const { projectId } = await stage.createProject('Hostile shop')
    await stage.api.database.orm.em.fork().nativeUpdate(ProjectEntity, { id: projectId }, { name: 'a\x1b[2Jb\u202e' })
    for (const args of [['list'], ['show', projectId]]) {
      const { stdout } = await stage.admin('projects', ...args)
      expect(stdout).toContain('a\\u{1b}[2Jb\\u{202e}')
      for (const raw of ['\x1b', '\u202e']) expect(stdout).not.toContain(raw)
    }
  })

  test('keeps its options where one is not understood, and has one changed otherwise', async () => {
    const { projectId } = await stage.createProject('Option shop')
    const before = await stage.api.database.dump()
    const values = [
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
    ]
    const names = ['suspended_at=now', 'nonsense', '=', 'default_curency=EUR']
    for (const wrong of [...values, ...names]) {
      const { code, stderr } = await stage.admin('projects', 'set', projectId, wrong)
      expect([wrong, code]).toEqual([wrong, 2])
      expect(stderr).toMatch(values.includes(wrong) ? / cannot be ".*"; it takes .+\.$/m : /^There is no option "/m)
    }
    const misspelt = await stage.admin('projects', 'set', projectId, 'default_curency=EUR')
    expect(misspelt.stderr).toContain('There is no option "default_curency". Did you mean default_currency?')
    expect(await stage.api.database.dump()).toBe(before)

    const origins = ['https://shop.example', 'http://localhost:4000']
    const changes: [assignment: string, option: string, from: unknown, to: unknown][] = [
      ['allows_client_captures=true', 'allowsClientCaptures', false, true],
      ['allows_client_overrides=true', 'allowsClientOverrides', false, true],
      ['allows_client_amounts=true', 'allowsClientAmounts', false, true],
      [`page_origins=${origins[0]},${origins[1]}/,${origins[0]}`, 'pageOrigins', [], origins],
      ['default_currency=sek', 'defaultCurrency', 'USD', 'SEK'],
      ['blocks_stopped_payments=true', 'blocksStoppedPayments', false, true],
      ['enforces_retry_after=true', 'enforcesRetryAfter', false, true],
      ['requires_second_factor=true', 'requiresSecondFactor', false, true],
      ['enforces_network_limits=true', 'enforcesNetworkLimits', false, true],
      ['visa_reattempts=1000', 'visaReattempts', 20, 1000],
      ['mastercard_declines_per_day=1', 'mastercardDeclinesPerDay', 10, 1],
      ['mastercard_declines_per_amount=1000', 'mastercardDeclinesPerAmount', 35, 1000],
      ['client_failures_per_invoice=1000000', 'clientFailuresPerInvoice', 10, 1_000_000],
      ['client_failures_per_card=1000000', 'clientFailuresPerCard', 10, 1_000_000],
      ['client_failures_per_project=1000000', 'clientFailuresPerProject', 1_000, 1_000_000],
    ]
    const set = (assignment: string) => stage.admin('projects', 'set', `test-${projectId}`, assignment)
    for (const [assignment] of changes) expect(await set(assignment)).toMatchObject({ code: 0 })
    const wanted = Object.fromEntries(changes.map(([, option, , to]) => [option, to]))
    expect(await projectOf(projectId)).toMatchObject({ ...wanted, acceptsPartialApprovals: false })
    // The same once more is no change.
    for (const same of ['default_currency=SEK', `page_origins=${origins}`])
      expect(await set(same)).toMatchObject({ code: 0 })
    expect((await actsOn(stage, projectId)).slice(2)).toMatchObject(
      changes.map(([, option, from, to]) => ({ kind: 'project.option-changed', facts: { option, from, to } })),
    )
  })

  test('is suspended once and resumed once, and moves money in between for nobody', async () => {
    const { projectId, client } = await stage.createProject('Stopped shop')
    const { body } = await client.post('/invoices', { name: 'Order', amount: '10.00', currency: 'EUR' })
    const authorize = () => client.post(`/invoices/${body.invoice.id}/authorize`, { source: 'card_any' })
    stage.api.payments.answerWith(() => ({ kind: 'pending' }))

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
  })
})
