import { beforeAll, describe, expect, test } from '@jest/globals'
import { TOTP } from 'otpauth'
import { openBrowser, PASSWORD } from '../dashboard/browser.ts'
import { adminStageForFile } from './stage.ts'

const stage = adminStageForFile()
let projectId: string

beforeAll(async () => {
  projectId = (await stage.createProject('People shop')).projectId
})

const linkIn = (stdout: string) =>
  /^link +http:\/\/127\.0\.0\.1:3000\/dashboard\/#\/(?:join|password)\/(hflink_\w{32})$/m.exec(stdout)?.[1] ?? 'no link'

const signIn = async (email: string) => openBrowser(stage.api.url).signIn(email, PASSWORD)

/** Invites, and accepts with a new account. */
async function join(email: string, project: string, role: string): Promise<void> {
  const { code, stdout, stderr } = await stage.admin('people', 'invite', email, project, role)
  expect([code, stderr]).toEqual([0, ''])
  const accepted = { token: linkIn(stdout), name: 'Ada Lovelace', password: PASSWORD }
  expect((await openBrowser(stage.api.url).post('/dashboard/account', accepted)).status).toBe(200)
}

describe('an operator', () => {
  test('invites people into projects, and changes their roles', async () => {
    await join('Ada@example.com', `test-${projectId}`, 'support')
    const changed = await stage.admin('people', 'change-role', 'ada@example.com', projectId, 'owner')
    expect(changed).toMatchObject({ code: 0, stdout: `ada@example.com is owner of ${projectId}.\n` })
    expect((await signIn('ada@example.com')).body.session.projects[0]).toMatchObject({ role: 'owner' })
    const { stdout } = await stage.admin('people', 'list')
    expect(stdout).toContain('ada@example.com')
    expect(stdout).toContain(`${projectId} owner`)
  })

  test('lists open invitations, and withdraws one, whose link ends', async () => {
    const invited = await stage.admin('people', 'invite', 'turing@example.com', projectId, 'owner')
    const listed = await stage.admin('invitations', 'list')
    const [id = ''] = /^\S+(?= +turing@example\.com )/m.exec(listed.stdout) ?? []
    expect(listed.stdout).toContain(projectId)
    expect(listed.stdout).not.toContain('hflink_')
    expect(await stage.admin('invitations', 'withdraw', id)).toMatchObject({ code: 0, stderr: '' })
    const accepted = { token: linkIn(invited.stdout), name: 'Alan Turing', password: PASSWORD }
    expect((await openBrowser(stage.api.url).post('/dashboard/account', accepted)).status).not.toBe(200)
    expect(await stage.admin('invitations', 'withdraw', id)).toMatchObject({ code: 1, stdout: '' })
    expect((await stage.admin('invitations', 'list')).stdout).not.toContain('turing@example.com')
  })

  test('resets a password that it never sees, is told the projects, and keeps people out for as long as wanted', async () => {
    await join('grace@example.com', projectId, 'developer')
    const browser = openBrowser(stage.api.url)
    await browser.signIn('grace@example.com', PASSWORD)
    const { stdout } = await stage.admin('people', 'reset-password', 'GRACE@example.com')
    expect(stdout).toMatch(new RegExp(`^projects +${projectId} developer$`, 'm'))
    expect((await browser.get('/dashboard/session')).status).toBe(401)
    expect((await signIn('grace@example.com')).status).toBe(401)
    await browser.post('/dashboard/password', { token: linkIn(stdout), new_password: PASSWORD })
    expect((await signIn('grace@example.com')).status).toBe(200)
    await stage.admin('people', 'disable', 'grace@example.com')
    expect((await signIn('grace@example.com')).status).toBe(401)
    await stage.admin('people', 'enable', 'grace@example.com')
    expect((await signIn('grace@example.com')).status).toBe(200)
  })

  test('takes the second factors of a person who has lost them, with a reason', async () => {
    await join('lost@example.com', projectId, 'developer')
    const browser = openBrowser(stage.api.url)
    await browser.signIn('lost@example.com', PASSWORD)
    const proof = { current_password: PASSWORD }
    const { secret, proof: made } = (await browser.post('/dashboard/second-factors/codes/options', proof)).body
    const code = new TOTP({ secret }).generate({ timestamp: stage.api.clock.now().getTime() })
    await browser.put('/dashboard/second-factors/codes', { secret, proof: made, code })
    expect((await signIn('lost@example.com')).body.session.needs_second_factor).toBe(true)
    const remove = (...more: string[]) => stage.admin('people', 'remove-second-factors', 'lost@example.com', ...more)
    expect(await remove()).toMatchObject({ code: 2, stderr: expect.stringContaining('Say why') })
    const reset = await stage.admin('people', 'reset-password', 'lost@example.com')
    expect(reset.stdout).toMatch(/^second factors +authenticator app$/m)
    await openBrowser(stage.api.url).post('/dashboard/password', {
      token: linkIn(reset.stdout),
      new_password: PASSWORD,
    })
    expect(await remove('--reason', 'Case 12, seen with passport')).toMatchObject({ code: 0 })
    expect((await browser.get('/dashboard/session')).status).toBe(401)
    expect((await signIn('lost@example.com')).body.session.needs_second_factor).toBe(false)
    const [act] = await stage.api.database.orm.em
      .fork()
      .execute<{ facts: string }[]>("select facts from audit_entry where kind = 'person.second-factors-removed'")
    expect(JSON.parse(act?.facts ?? '{}')).toMatchObject({ reason: 'Case 12, seen with passport' })
  })

  test('takes people out of a project, but not its last owner', async () => {
    const { projectId: own } = await stage.createProject('Own shop')
    await join('only@example.com', own, 'owner')
    for (const args of [
      ['remove', 'only@example.com', own],
      ['change-role', 'only@example.com', own, 'support'],
    ]) {
      expect(await stage.admin('people', ...args)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('needs an owner'),
      })
    }
    await join('second@example.com', own, 'owner')
    expect(await stage.admin('people', 'remove', 'only@example.com', own)).toMatchObject({ code: 0 })
    expect(await stage.admin('people', 'remove', 'second@example.com', own)).toMatchObject({ code: 1 })
    // A stolen account must be closed, be it the last owner's.
    await join('third@example.com', own, 'owner')
    const disable = async (email: string) => (await stage.admin('people', 'disable', email)).stdout.split('\n')[1]
    expect(await disable('third@example.com')).toBe('')
    expect(await disable('second@example.com')).toBe(`${own}, Own shop, has no owner now who can sign in: invite one.`)
  })

  test('is told what is wrong, and nothing is done then', async () => {
    await join('twice@example.com', projectId, 'support')
    const before = await stage.api.database.dump()
    for (const [args, code, sentence] of [
      [['invite', 'twice@EXAMPLE.com', projectId, 'owner'], 1, 'belongs to'],
      [['invite', 'no address', projectId, 'owner'], 2, 'is no email address'],
      [['invite', 'new@example.com', 'proj_none', 'owner'], 1, 'There is no project proj_none.'],
      [['invite', 'new@example.com', projectId, 'admin'], 2, '"admin" is no role'],
      [['change-role', 'nobody@example.com', projectId, 'owner'], 1, 'There is no person nobody@example.com.'],
      [['change-role', 'twice@example.com', 'proj_none', 'owner'], 1, 'There is no person in the project'],
      [['disable', 'nobody@example.com'], 1, 'There is no person'],
    ] as const) {
      const ended = await stage.admin('people', ...args)
      expect([args, ended.code]).toEqual([args, code])
      expect(ended.stderr).toContain(sentence)
    }
    expect(await stage.api.database.dump()).toBe(before)
  })
})
