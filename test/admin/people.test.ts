import { beforeAll, describe, expect, test } from '@jest/globals'
import { openBrowser } from '../http/dashboard/browser.ts'
import { adminStageForFile } from './stage.ts'

const stage = adminStageForFile()
let projectId: string

beforeAll(async () => {
  projectId = (await stage.createProject('People shop')).projectId
})

const passwordIn = (stdout: string) => /^password +(\w{20})$/m.exec(stdout)?.[1] ?? 'no password'

async function create(email: string): Promise<string> {
  const { code, stdout, stderr } = await stage.admin('people', 'create', email, 'Ada Lovelace')
  expect([code, stderr]).toEqual([0, ''])
  return passwordIn(stdout)
}

const signIn = async (email: string, password: string) => openBrowser(stage.api.url).signIn(email, password)

describe('an operator', () => {
  test('makes accounts, and lets their people into projects', async () => {
    const password = await create('Ada@example.com')
    expect((await signIn('ada@example.com', password)).body.session).toMatchObject({
      must_change_password: true,
      projects: [],
    })
    const added = await stage.admin('people', 'add', 'ada@example.com', `test-${projectId}`, 'support')
    expect(added).toMatchObject({ code: 0, stdout: `ada@example.com is support of ${projectId}.\n` })
    await stage.admin('people', 'add', 'ada@example.com', projectId, 'owner')
    expect((await signIn('ada@example.com', password)).body.session.projects[0]).toMatchObject({ role: 'owner' })
    const { stdout } = await stage.admin('people', 'list')
    expect(stdout).toContain('ada@example.com')
    expect(stdout).toContain(`${projectId} owner`)
  })

  test('gives a new password, which ends the sessions, and keeps people out for as long as wanted', async () => {
    const first = await create('grace@example.com')
    const browser = openBrowser(stage.api.url)
    await browser.signIn('grace@example.com', first)
    const { stdout } = await stage.admin('people', 'reset-password', 'GRACE@example.com')
    expect((await browser.get('/dashboard/session')).status).toBe(401)
    const second = passwordIn(stdout)
    expect([
      (await signIn('grace@example.com', first)).status,
      (await signIn('grace@example.com', second)).status,
    ]).toEqual([401, 200])
    await stage.admin('people', 'disable', 'grace@example.com')
    expect((await signIn('grace@example.com', second)).status).toBe(401)
    await stage.admin('people', 'enable', 'grace@example.com')
    expect((await signIn('grace@example.com', second)).status).toBe(200)
  })

  test('takes people out of a project, but not its last owner', async () => {
    await create('only@example.com')
    const { projectId: own } = await stage.createProject('Own shop')
    await stage.admin('people', 'add', 'only@example.com', own, 'owner')
    for (const args of [
      ['remove', 'only@example.com', own],
      ['add', 'only@example.com', own, 'support'],
    ]) {
      expect(await stage.admin('people', ...args)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('needs an owner'),
      })
    }
    await create('second@example.com')
    await stage.admin('people', 'add', 'second@example.com', own, 'owner')
    expect(await stage.admin('people', 'remove', 'only@example.com', own)).toMatchObject({ code: 0 })
    expect(await stage.admin('people', 'remove', 'only@example.com', own)).toMatchObject({ code: 1 })
  })

  test('is told what is wrong, and nothing is done then', async () => {
    await create('twice@example.com')
    const before = await stage.api.database.dump()
    for (const [args, code, sentence] of [
      [['create', 'twice@EXAMPLE.com', 'Name'], 1, 'has an account'],
      [['create', 'no address', 'Name'], 2, 'is no email address'],
      [['create', 'new@example.com', ' '], 2, 'The name of a person'],
      [['create', 'new@example.com', 'cleared \x1b[2J'], 2, 'control character'],
      [['add', 'nobody@example.com', projectId, 'owner'], 1, 'There is no person nobody@example.com.'],
      [['add', 'twice@example.com', 'proj_none', 'owner'], 1, 'There is no project proj_none.'],
      [['add', 'twice@example.com', projectId, 'admin'], 2, '"admin" is no role'],
      [['disable', 'nobody@example.com'], 1, 'There is no person'],
    ] as const) {
      const ended = await stage.admin('people', ...args)
      expect([args, ended.code]).toEqual([args, code])
      expect(ended.stderr).toContain(sentence)
    }
    expect(await stage.api.database.dump()).toBe(before)
  })
})
