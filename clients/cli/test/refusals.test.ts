import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { Permission } from '../../../domain/permission.ts'
import { ApiKeyEntity } from '../../../src/persistence/entities/api-key.ts'
import { stackForFile } from '../../../test/support/stack-for-file.ts'
import { UNUSED_PORT } from '../../../test/support/unused-port.ts'
import { credentialsOf, makeTerminal, type Terminal } from './terminal.ts'

/** What must not happen, and what a person is told instead; then who is let in. */

const LIVE_KEY = 'key_live_0123456789abcdefghij'

const stack = stackForFile()
let terminal: Terminal
beforeEach(async () => {
  terminal = await makeTerminal(stack.project.secretKey, credentialsOf(stack))
})
afterEach(() => terminal.remove())

/** Takes all that is in the environment away. */
const forget = () => {
  for (const name of Object.keys(terminal.env)) delete terminal.env[name]
}

describe('without credentials', () => {
  test('a command says how to log in, and ends with 1', async () => {
    forget()
    expect(await terminal.run(['invoices', 'list'])).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(/Nobody is logged in\. Run "holdfast login"/),
    })
  })

  test('a part of them in the environment is not filled up from a login: a key goes to no other address', async () => {
    await terminal.run(['login', '--url', stack.baseUrl, '--project-id', `test-${stack.project.id}`], {
      input: stack.project.secretKey,
    })
    forget()
    terminal.env.HOLDFAST_URL = 'http://127.0.0.1:1'
    const { code, err } = await terminal.run(['invoices', 'list'])
    expect([code, err]).toEqual([1, expect.stringContaining('HOLDFAST_PROJECT_ID and HOLDFAST_SECRET_KEY must be set')])
  })
})

test.each([
  ['HOLDFAST_PROJECT_ID', 'iv_1', 'Error: HOLDFAST_PROJECT_ID must be proj_… or test-proj_….'],
  ['HOLDFAST_SECRET_KEY', 'a key', 'Error: HOLDFAST_SECRET_KEY must be the secret key of a project, key_….'],
  [
    'HOLDFAST_URL',
    'localhost',
    'Error: HOLDFAST_URL must be the address of the service, such as https://payments.example.',
  ],
  ['HOLDFAST_PROJECT_ID', 'test-proj_1', 'Correct HOLDFAST_PROJECT_ID or HOLDFAST_SECRET_KEY'],
])('a wrong %s is named as that, and not as something to log in with: %s', async (name, value, told) => {
  terminal.env[name] = value
  const { code, err } = await terminal.run(['invoices', 'list'])
  expect([code, err]).toEqual([1, expect.stringContaining(told)])
  expect(err).not.toContain('login" again')
})

test('a service that is down ends with 4, and with how to do the same once', async () => {
  terminal.env.HOLDFAST_URL = `http://127.0.0.1:${UNUSED_PORT}`
  const { code, err } = await terminal.run(['invoices', 'delete', 'iv_1', '--idempotency-key', 'delete-1'])
  expect([code, err]).toEqual([
    4,
    expect.stringContaining('Is the service running? In a checkout "npm start" starts it.'),
  ])
  expect(err).toContain('--idempotency-key delete-1')
})

test('an invoice that is not there is not opened', async () => {
  const { code, out, err } = await terminal.run(['open', 'iv_1'])
  expect([code, out, err]).toEqual([1, '', expect.stringContaining('There is no such invoice.')])
})

test('a key that lacks a permission is told which, and how to get one that has it', async () => {
  const em = stack.database.orm.em.fork()
  const { permissions } = await em.findOneOrFail(ApiKeyEntity, { projectId: stack.project.id })
  const allow = (allowed: Permission[]) =>
    em.nativeUpdate(ApiKeyEntity, { projectId: stack.project.id }, { permissions: allowed })
  await allow(['payments'])
  const { code, err } = await terminal.run(['open', 'iv_1'])
  await allow(permissions)
  expect([code, err]).toEqual([1, expect.stringContaining('lacks the permission "read"')])
  expect(err).toContain('in the dashboard, under "API keys"; then set HOLDFAST_SECRET_KEY to it.')
})

test('with --json an error is JSON as well', async () => {
  const { code, out, err } = await terminal.run(['invoices', 'retrieve', 'iv_1', '--json'])
  expect([code, out]).toEqual([1, ''])
  expect(JSON.parse(err)).toMatchObject({
    error: 'NotFoundError',
    error_type: 'resource.invoice.not-found',
    status: 404,
    request_id: expect.stringMatching(/^req_/),
  })
})

test.each([
  [['trigger', 'transaction.capturd'], 'Did you mean transaction.captured?'],
  [['trigger'], "missing required argument 'event'"],
  [['invoices', 'create', '--amont', '3'], 'Did you mean --amount?'],
  [['invioces'], 'Did you mean invoices?'],
  [['invoices', 'authorize', 'iv_1', '--incremental', 'maybe'], '--incremental must be true or false'],
  [['invoices', 'refund', 'iv_1', '--reason', 'none'], 'Allowed choices are customer_request'],
  [['invoices', 'create', '--metadata', 'shop=7'], '--metadata is no JSON'],
  [['invoices', 'create', '--data', 'nowhere.json'], 'nowhere.json cannot be read'],
  [['webhook-endpoints', 'rotate-secret', 'whe_1', '--previous-expires-in', '1h'], 'must be a whole number'],
  [['clock', 'advance', 'iv_1'], 'Say how far: --by 7d'],
  [['clock', 'advance', 'iv_1', '--by', '7 days'], '"7 days" is no duration'],
  [['clock', 'advance', 'iv_1', '--by', '7d', '--to', '2027-01-01T00:00:00Z'], 'cannot be used with'],
  [['listen'], '--forward-to'],
  [['listen', '--forward-to', 'localhost:4000'], 'must be an address such as http://'],
  [['listen', '--forward-to', 'http://127.0.0.1:1', '--events', 'captured'], 'There is no event "captured"'],
  [['open', '--temporal'], 'Name the payment: holdfast open iv_'],
  [['open', 'card_1'], '"card_1" is no id of an invoice: write holdfast open iv_'],
  [['open', 'iv_1/../x', '--temporal'], 'is no id of an invoice'],
])('%j ends with 2, sends nothing, and says what is wrong', async (args, problem) => {
  const asked = () => stack.log.text().length
  const before = asked()
  const { code, out, err } = await terminal.run(args)
  expect([code, out]).toEqual([2, ''])
  expect(err).toContain(problem)
  expect(asked()).toBe(before)
})

test.each([
  [['logs', 'tail', '--help'], '"field>=value"'],
  [['api-requests', 'list', '--help'], '"field>=value"'],
  [['--help'], 'tail: Show requests as they are answered'],
  [['--help'], 'advance: Move a sandbox payment'],
])('%j says %s', async (args, said) => {
  const { code, out } = await terminal.run(args)
  expect([code, out.replaceAll(/\s+/g, ' ')]).toEqual([0, expect.stringContaining(said)])
})

describe('a secret', () => {
  test('is no argument: card numbers, security codes and credentials of gateways are read from a file or a pipe', async () => {
    for (const [args, told] of [
      [['cards', 'create', '--number', '4242424242424242'], '--number is not taken from the command line'],
      [['cards', 'create', '--cvc2=737'], 'by --data FILE or by a pipe and --data -'],
      [['gateway-configurations', 'create', 'stripe', '--credentials', '{}'], 'others on this machine can see it'],
      [['login', '--secret-key', stack.project.secretKey], 'unknown option'],
    ] as const) {
      const { code, err } = await terminal.run(args)
      expect([code, err]).toEqual([2, expect.stringContaining(told)])
      expect(err).not.toMatch(/4242|737|key_sandbox/)
    }
  })

  test('is kept in a file that only its owner can read', async () => {
    const login = ['login', '--url', stack.baseUrl, '--project-id', `test-${stack.project.id}`]
    const { code, out } = await terminal.run(login, { input: `${stack.project.secretKey}\n` })
    expect([code, out]).toEqual([0, expect.stringContaining('(sandbox)')])
    const { text, mode } = await terminal.kept('credentials.json')
    expect(mode).toBe(0o600)
    expect(JSON.parse(text)).toMatchObject({ secret_key: stack.project.secretKey })
    forget()
    expect(await terminal.json('invoices', 'list')).toMatchObject({ data: [] })
  })
})

describe('holdfast login', () => {
  const login = (input: string) =>
    terminal.run(['login', '--url', stack.baseUrl, '--project-id', `test-${stack.project.id}`], { input })

  test('keeps nothing that the service refuses', async () => {
    const wrong = 'key_sandbox_0000000000000000000000000000000000'
    expect(await login(wrong)).toMatchObject({ code: 1 })
    expect(
      await terminal.run(['login', '--url', stack.baseUrl, '--project-id', 'iv_1'], { input: wrong }),
    ).toMatchObject({
      err: expect.stringContaining('The project id (--project-id) must be proj_… or test-proj_….'),
    })
    await expect(terminal.kept('credentials.json')).rejects.toThrow('ENOENT')
  })

  test('takes the sandbox of a checkout, and its key for no other project or address', async () => {
    forget()
    const sandbox = {
      base_url: stack.baseUrl,
      project_id: `test-${stack.project.id}`,
      secret_key: stack.project.secretKey,
    }
    await mkdir(join(terminal.folder, '.data'))
    await writeFile(join(terminal.folder, '.data/sandbox.json'), JSON.stringify(sandbox))
    for (const other of [
      ['--url', 'http://127.0.0.1:1', '--project-id', sandbox.project_id],
      ['--project-id', 'test-proj_1'],
    ])
      expect(await terminal.run(['login', ...other])).toMatchObject({
        code: 1,
        err: expect.stringContaining('The secret key must be given'),
      })
    expect(await terminal.run(['login'])).toMatchObject({ code: 0 })
    for (const all of [[], ['--all']])
      expect(await terminal.run(['invoices', 'list', ...all])).toMatchObject({ code: 0, out: 'None.\n' })
  })
})

describe('a person who logs in', () => {
  test('is asked, is offered what is known, and sees no key on the screen', async () => {
    forget()
    const { code, out } = await terminal.type(
      ['login'],
      [
        ['Address of the service [http://127.0.0.1:3000]: ', stack.baseUrl],
        ['Project id: ', `test-${stack.project.id}`],
        ['Secret key, which is not shown: ', stack.project.secretKey],
      ],
    )
    expect([code, out]).toEqual([0, expect.stringContaining(`Logged in to test-${stack.project.id} (sandbox)`)])
    const again = await terminal.type(
      ['login'],
      [
        [`[${stack.baseUrl}]: `, ''],
        [`[test-${stack.project.id}]: `, ''],
        ['[the one that is known]: ', ''],
      ],
    )
    expect(again.code).toBe(0)
  })

  test.each(['\u0003', '\u0004'])('keeps nothing who ends it by Ctrl-C or Ctrl-D: %j', async (key) => {
    forget()
    expect(await terminal.type(['login'], [['Address of the service', key]])).toMatchObject({ code: 130 })
    await expect(terminal.kept('credentials.json')).rejects.toThrow('ENOENT')
  })
})

test('holdfast trigger makes nothing happen with a live key, nor with what is no key of the sandbox', async () => {
  for (const key of [LIVE_KEY, 'key_1']) {
    terminal.env.HOLDFAST_SECRET_KEY = key
    expect(await terminal.run(['trigger', 'transaction.captured'])).toEqual({
      code: 1,
      out: '',
      err: expect.stringContaining('in the sandbox only'),
    })
  }
})
