import { describe, expect, test } from '@jest/globals'
import { credentialsIn } from '../journeys/launched.ts'
import { adminStageForFile } from './stage.ts'

const WHY = ['--reason', 'a case'] as const
const NOBODY = 'proj_nobody'

const stage = adminStageForFile()

describe('the command line of the operator', () => {
  test('changes nothing where it is used wrongly, says what is wrong, and ends with 2', async () => {
    const before = await stage.api.database.dump()
    const cases: [string[], string][] = [
      [[], 'Usage: npm run admin --'],
      [['--nonsense'], "Unknown option '--nonsense'"],
      [['projects'], 'Usage: npm run admin -- projects'],
      [['projects', 'destroy', NOBODY], "Unknown command 'destroy'"],
      [['project', 'list'], '(Did you mean projects?)'],
      [['projects', 'create'], "Missing required argument 'NAME'"],
      [['projects', 'list', 'all'], "Too many arguments for 'list'. Expected 0 arguments but got 1"],
      [['projects', 'suspend', NOBODY, '--force'], "Unknown option '--force'"],
      [['api-keys', 'create', NOBODY, 'live', '--name'], "Option '--name <TEXT>' argument missing"],
      [['limits', 'set', NOBODY], "Missing required argument 'LIMIT=REQUESTS_A_MINUTE'"],
    ]
    for (const [args, sentence] of cases) {
      const { code, stdout, stderr } = await stage.admin(...args)
      expect([args, code, stdout]).toEqual([args, 2, ''])
      expect(stderr).toContain(sentence)
      expect(stderr).toContain('--help')
      expect(stderr).not.toMatch(/^ +at /m)
    }
    expect(await stage.api.database.dump()).toBe(before)
  })

  test('tells its version, and what it takes', async () => {
    expect(await stage.admin('--version')).toEqual({ code: 0, stdout: '0.1.0\n', stderr: '' })
    const { code, stdout } = await stage.admin('help')
    expect([code, stdout]).toEqual([0, (await stage.admin('--help')).stdout])
    const { stderr } = await stage.admin('limits', 'set', NOBODY)
    expect(stderr).toContain('npm run admin -- limits set --help tells what it takes.')
  })

  test('changes nothing where what it names is not there, and ends with 1 and one sentence', async () => {
    const before = await stage.api.database.dump()
    const cases: [string[], string][] = [
      [['projects', 'show', `test-${NOBODY}`], `There is no project ${NOBODY}.`],
      [['projects', 'set', NOBODY, 'default_currency=EUR'], `There is no project ${NOBODY}.`],
      [['projects', 'suspend', NOBODY], `There is no project ${NOBODY}.`],
      [['projects', 'resume', NOBODY], `There is no project ${NOBODY}.`],
      [['api-keys', 'create', NOBODY, 'live'], `There is no project ${NOBODY}.`],
      [['api-keys', 'list', NOBODY], `There is no project ${NOBODY}.`],
      [['api-keys', 'revoke', 'key_nobody'], 'There is no key key_nobody.'],
      [['limits', 'show', NOBODY], `There is no project ${NOBODY}.`],
      [['limits', 'set', NOBODY, 'primary=1'], `There is no project ${NOBODY}.`],
      [['gateways', 'list', NOBODY], `There is no project ${NOBODY}.`],
      [['gateways', 'show', 'gway_conf_nobody'], 'There is no gateway configuration gway_conf_nobody.'],
      [['gateways', 'drain', 'gway_conf_nobody'], 'There is no gateway configuration gway_conf_nobody.'],
      [['payments', 'resolve', 'iv_nobody', 'tr_op_nothing', 'declined', ...WHY], 'There is no invoice iv_nobody.'],
      [['payments', 'acknowledge', 'payment-iv_nobody'], 'There is no invoice iv_nobody.'],
      [['payments', 'cancel-capture', 'iv_nobody', ...WHY], 'There is no invoice iv_nobody.'],
      [['webhooks', 'resend', 'ev_nobody', ...WHY], 'There is no event ev_nobody.'],
      [['webhooks', 'resend', 'webhook-ev_nobody-1', ...WHY], 'There is no event ev_nobody.'],
      [['gateways', 'resume', 'gway_conf_nobody'], 'There is no gateway configuration gway_conf_nobody.'],
    ]
    for (const [args, sentence] of cases) {
      expect([args, await stage.admin(...args)]).toEqual([args, { code: 1, stdout: '', stderr: `${sentence}\n` }])
    }
    expect(await stage.api.database.dump()).toBe(before)
  })

  test('asks for the migration where the tables are not those of this version', async () => {
    const { orm } = stage.api.database
    await orm.em.getConnection().execute('alter table project rename to unknown_table')
    const refused = await stage.admin('projects', 'list')
    await orm.em.getConnection().execute('alter table unknown_table rename to project')
    const stderr = 'The tables of the database are not those of this version: run npm run migrate first.\n'
    expect(refused).toEqual({ code: 1, stdout: '', stderr })
  })

  test('is a process that tells the shell how it has ended, and shows a secret once', async () => {
    const wrong = await stage.spawnAdmin('projects', 'destroy')
    expect(wrong).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining("Unknown command 'destroy'") })
    const absent = await stage.spawnAdmin('api-keys', 'list', NOBODY)
    expect(absent).toEqual({ code: 1, stdout: '', stderr: `There is no project ${NOBODY}.\n` })
    const made = await stage.spawnAdmin('projects', 'create', 'My shop')
    expect(made).toMatchObject({ code: 0, stderr: '' })
    const { username, password: secretKey } = credentialsIn(made.stdout)
    expect((await stage.clientOf(username, secretKey).get('/invoices')).status).toBe(200)
    const shown = await stage.spawnAdmin('projects', 'show', username)
    expect(shown).toMatchObject({ code: 0, stderr: '' })
    expect(shown.stdout).toContain('My shop')
    expect(shown.stdout).not.toContain(secretKey.replace('key_sandbox_', ''))
  })

  test('explains itself, as a whole and command by command', async () => {
    const whole = await stage.admin('--help')
    expect(whole.code).toBe(0)
    const commands = [...whole.stdout.matchAll(/^ {2}([a-z-]+ [a-z-]+)/gm)].map(([, name]) => name)
    expect(commands).toEqual(
      expect.arrayContaining(['projects create', 'api-keys revoke', 'limits set', 'gateways drain']),
    )
    const one = await stage.admin('api-keys', 'create', '--help')
    expect(one).toMatchObject({ code: 0, stderr: '' })
    expect(one.stdout).toMatch(/^Usage: npm run admin -- api-keys create \[options\] <PROJECT_ID> <live\|sandbox>/)
    expect(one.stdout).toContain('--name <TEXT>')
    expect(one.stdout).toContain('read, payments, refunds, configuration, webhooks')
    const limits = await stage.admin('limits', 'set', '--help')
    for (const word of ['600000', 'primary', 'secondary', 'sandbox', 'client_address', 'client_invoice']) {
      expect(limits.stdout).toContain(word)
    }
    for (const [group, own, other] of [
      ['projects', 'suspend', 'revoke'],
      ['encryption-keys', 'rotate', 'suspend'],
      ['limits', 'set', 'revoke'],
      ['gateways', 'drain', 'revoke'],
      ['payments', 'resolve', 'revoke'],
      ['webhooks', 'resend', 'revoke'],
      ['support', 'links', 'revoke'],
      ['audit', 'verify', 'revoke'],
    ] as const) {
      const { code, stdout, stderr } = await stage.admin(group, '--help')
      expect([group, code, stderr]).toEqual([group, 0, ''])
      expect(stdout).toContain(`  ${own}`)
      expect(stdout).not.toContain(other)
    }
    expect(await stage.admin('nonsense')).toMatchObject({ code: 2, stdout: '' })
  })
})
