import { execFile } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { isListening } from '../../src/embedded/ports.ts'
import { createOrm } from '../../src/persistence/orm.ts'
import { processStartMark } from '../support/process-start-mark.ts'
import { waitFor } from '../support/wait-for.ts'
import { type Launched, launch, type Machine, makeMachine } from './launched.ts'

const CTRL_C = '\x03'
/** What begins a colour. */
const ESCAPE = '\x1b['

let machine: Machine
let server: Launched
beforeAll(async () => {
  machine = await makeMachine()
  server = await machine.start()
})
afterAll(() => machine.remove())

const isGone = (pid: number) => processStartMark(pid) === undefined

/** A new invoice and a card that pays it. */
async function makePayment() {
  const client = await machine.client()
  const card = await client.post('/cards', { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc2: '123' })
  const invoice = await client.post('/invoices', { name: 'Coffee', amount: '4.50', currency: 'EUR' })
  return { client, cardId: card.body.card.id as string, invoiceId: invoice.body.invoice.id as string }
}

describe('a machine on which everything is embedded', () => {
  test('prints a command that takes a payment, and keeps the key where only its owner can read it', async () => {
    const command = /^curl [\s\S]+?^\)$/m.exec(server.output())?.[0]
    const { stdout } = await promisify(execFile)('sh', ['-c', String(command)])
    expect(JSON.parse(stdout)).toMatchObject({ success: true, transaction: { status: 'authorized' } })
    expect((await stat(join(machine.dataFolder, 'sandbox.json'))).mode & 0o777).toBe(0o600)
    expect(await machine.sandbox()).toEqual({
      base_url: `http://127.0.0.1:${machine.environment.PORT}`,
      dashboard_email: 'owner@example.com',
      dashboard_password: expect.any(String),
      project_id: expect.stringMatching(/^test-proj_/),
      secret_key: expect.any(String),
      temporal_ui_url: `http://127.0.0.1:${machine.environment.TEMPORAL_UI_PORT}`,
      temporal_address: `127.0.0.1:${machine.environment.TEMPORAL_PORT}`,
    })
  })

  test.each(['PORT', 'TEMPORAL_UI_PORT'])('makes nothing for a second instance that has its %s', async (name) => {
    const dataFolder = join(machine.dataFolder, '..', `second-${name}`)
    const other = { PORT: '0', TEMPORAL_UI_PORT: 'off', [name]: String(machine.environment[name]) }
    const second = launch('src/server.ts', { DATA_DIR: dataFolder, ...other })
    expect(await second.exited()).toBe(1)
    expect(second.output()).toMatch(
      new RegExp(`^Starting Holdfast\nPort ${other[name]} .* set DATA_DIR, PORT and .* second instance\\.\nStopped\n$`),
    )
    expect(await readdir(join(dataFolder, 'logs'))).toEqual([])
    expect(await readdir(dataFolder)).not.toContain('keys.json')
  })

  test('says which server has died, stops the rest and exits with 1; the next start works', async () => {
    const { postgres, temporal } = await machine.servers()
    process.kill(temporal, 'SIGKILL')
    expect(await server.exited()).toBe(1)
    expect(server.output()).toContain('Temporal ended by SIGKILL, so everything else stops too')
    expect(isGone(postgres)).toBe(true)
    server = await machine.start()
  })

  test('captures at its auto_capture_at, once, what was authorized before everything was killed', async () => {
    const { client, cardId, invoiceId } = await makePayment()
    const autoCaptureAt = new Date(Date.now() + 10_000)
    const authorized = await client.post(`/invoices/${invoiceId}/authorize`, {
      source: cardId,
      auto_capture_at: autoCaptureAt.toISOString(),
    })
    expect(authorized.body.transaction.status).toBe('authorized')
    const { secret_key } = await machine.sandbox()
    const before = await machine.servers()
    for (const pid of [server.pid, before.temporal, before.postgres]) process.kill(pid, 'SIGKILL')
    await server.exited()

    server = await machine.start('in a terminal')
    expect((await machine.sandbox()).secret_key).toBe(secret_key)
    const path = `/transactions/${authorized.body.transaction.id}`
    const captured = await waitFor(async () => {
      const { body } = await client.get(path)
      return body.transaction.status === 'completed' ? body.transaction : undefined
    })
    expect(captured).toMatchObject({ captured_amount: '4.50', authorized_amount: '4.50' })
    expect(Date.parse(captured.captured_at)).toBeGreaterThanOrEqual(autoCaptureAt.getTime())
    const captures = await waitFor(async () => {
      const { body: list } = await client.get('/events')
      const ofPayment = list.events.filter(
        (event: { name: string; data: { transaction: { id: string } } }) =>
          event.name === 'transaction.captured' && event.data.transaction.id === authorized.body.transaction.id,
      )
      return ofPayment.length > 0 && ofPayment
    })
    expect(captures).toHaveLength(1)
  })

  test('tells the person in front of it each request in a line with colours, and the addresses again at h', async () => {
    const client = await machine.client()
    const { headers } = await client.get('/invoices/iv_none')
    await server.printed(String(headers.get('x-request-id')))
    const line = server
      .output()
      .split('\n')
      .find((one) => one.includes(String(headers.get('x-request-id'))))
    expect(line).toContain(ESCAPE)
    expect(stripVTControlCharacters(line ?? '')).toMatch(
      /^\d\d:\d\d:\d\d GET {4}\/invoices\/\{id\} 404 resource\.invoice\.not-found /,
    )
    const shown = () => server.output().split('Take a payment').length
    const before = shown()
    server.type('h\n')
    await waitFor(() => shown() > before)
  })

  test('finishes the request that it has after Ctrl-C, leaves nothing behind and exits with 0', async () => {
    const { postgres, temporal } = await machine.servers()
    const { client, cardId, invoiceId } = await makePayment()
    const orm = await createOrm({ databaseUrl: await machine.databaseUrl() })
    const answer = await orm.em.fork().transactional(async (em) => {
      // The authorization waits for this row, and so is under way when the signal comes.
      await em.execute('select id from invoice where id = ? for update', [invoiceId])
      const [own] = await em.execute<{ pid: number }[]>('select pg_backend_pid() as pid')
      const asked = client.post(`/invoices/${invoiceId}/authorize`, { source: cardId })
      await waitFor(() =>
        orm.em
          .fork()
          .execute('select 1 from pg_stat_activity where ? = any(pg_blocking_pids(pid))', [own?.pid])
          .then((rows) => rows.length),
      )
      server.type(CTRL_C)
      await server.printed('Stopping')
      return { asked }
    })
    await orm.close(true)
    expect((await answer.asked).body.transaction?.status).toBe('authorized')
    expect(await server.exited()).toBe(0)
    const last = stripVTControlCharacters(server.output()).split('Stopping')[1] ?? ''
    expect(last).toContain('Stopped')
    // No stack trace of a library, and no line of the log, which is in its file.
    expect(last).not.toMatch(/^\s+at |^\{"/m)
    expect(await readFile(join(machine.dataFolder, 'logs/holdfast.log'), 'utf8')).toContain('"msg":"request"')
    expect([postgres, temporal].filter((pid) => !isGone(pid))).toEqual([])
    for (const name of ['PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT']) {
      expect(await isListening(Number(machine.environment[name]))).toBe(false)
    }
  })
})
