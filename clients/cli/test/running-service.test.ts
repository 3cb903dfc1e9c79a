import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { EVENT_NAMES } from '../../../domain/webhook-event.ts'
import { TEST_CARD } from '../../../test/support/card-data.ts'
import { stackForFile } from '../../../test/support/stack-for-file.ts'
import { describe as describeAnswer } from '../src/output/describe.ts'
import { jsonOf } from '../src/output/show.ts'
import { tableOf } from '../src/output/table.ts'
import { credentialsOf, makeTerminal, type Terminal } from './terminal.ts'

const plain = (_: unknown, text: string) => text

/** Commands against a service that runs: what is paid, declined and asked of the customer, and what a person reads. */

const stack = stackForFile()
let terminal: Terminal
beforeAll(async () => {
  terminal = await makeTerminal(stack.project.secretKey, credentialsOf(stack))
})
afterAll(() => terminal.remove())

const CARD = { number: TEST_CARD.number, exp_month: 12, exp_year: 2035, cvc2: TEST_CARD.cvc }
const DO_NOT_HONOR = '4000000000002180'
const REFUNDS_DECLINED = '4000000000000077'
const CHALLENGE = '4000000000000101'

/** The words of a command, and what it prints as JSON. */
const ask = (line: string, ...more: string[]) => terminal.json(...line.split(' '), ...more)
const create = async (line: string, ...more: string[]): Promise<string> => (await ask(line, ...more)).id
const invoice = (...more: string[]) =>
  create('invoices create --amount 29.00 --currency EUR', '--name', 'Order 1', ...more)

async function inFile(name: string, content: string): Promise<string> {
  const file = join(terminal.folder, name)
  await writeFile(file, content)
  return file
}
const card = async (number: string = TEST_CARD.number) =>
  create(`cards create --data ${await inFile('card.json', JSON.stringify({ ...CARD, number }))}`)

/** An authorized invoice whose authorization has ended. */
async function expired(): Promise<string> {
  const id = await invoice()
  await ask(`invoices authorize ${id} --source ${await card()}`)
  const { transaction } = await ask(`invoices advance-clock ${id} --seconds 604860`)
  expect(transaction.status).toBe('voided')
  return id
}

test('a card number comes from a pipe, and what stands on the command line wins', async () => {
  const { code, out } = await terminal.run(['cards', 'create', '--data', '-', '--name', 'Ann', '--json'], {
    input: JSON.stringify({ ...CARD, name: 'Bob' }),
  })
  expect([code, JSON.parse(out)]).toMatchObject([0, { name: 'Ann', last_4_digits: '4242' }])
})

test('a payment is authorized, captured in part, refunded, and found by a filter', async () => {
  const id = await invoice()
  const authorized = await ask(`invoices authorize ${id} --source ${await card()} --expand operations`)
  expect(authorized).toMatchObject({ outcome: 'success', transaction: { status: 'authorized' } })
  expect(authorized.transaction.operations.length).toBeGreaterThan(0)
  const { transaction } = await ask(`invoices capture ${id} --capture-amount 20.00`)
  expect(transaction).toMatchObject({ status: 'completed', captured_amount: '20.00' })
  await ask(`invoices refund ${id} --amount 5.00 --reason customer_request`)
  await ask(`transactions refund ${transaction.id} --amount 1.00`)
  expect(await ask(`transactions retrieve ${transaction.id}`)).toMatchObject({ refunded_amount: '6.00' })
  expect(await ask(`refunds list --filter transaction_id:${transaction.id}`)).toMatchObject({ total_count: 2 })
})

test('the customer who has to act is sent to the bank, and the command ends with 3', async () => {
  const source = await card(CHALLENGE)
  expect(await ask(`invoices authenticate ${await invoice()} --source ${source} --enable-three-d-s-2`)).toMatchObject({
    outcome: 'pending',
    customer_action: { type: expect.any(String) },
  })
  const authorize = ['invoices', 'authorize', await invoice(), '--source', await card(CHALLENGE)]
  const { code, err } = await terminal.run(authorize)
  expect([code, err]).toEqual([3, expect.stringMatching(/send them to http.*, and run the command again/)])
})

test('a decline ends with 3, and with its code', async () => {
  const authorize = ['invoices', 'authorize', await invoice(), '--source', await card(DO_NOT_HONOR)]
  const { code, err } = await terminal.run(authorize)
  expect([code, err]).toEqual([3, expect.stringMatching(/\(card\.do-not-honor\).*can be paid with another source/s)])
})

test('a decline of a refund and a capture after the end promise no other source', async () => {
  const paid = await invoice()
  await ask(`invoices capture ${paid} --source ${await card(REFUNDS_DECLINED)}`)
  for (const command of [
    ['refund', paid],
    ['capture', await expired()],
  ]) {
    const { code, err } = await terminal.run(['invoices', ...command])
    expect([code, err]).toEqual([3, expect.stringMatching(/\(gateway\.(declined|expired)\)/)])
    expect(err).not.toContain('another source')
  }
})

test.each([
  [{ id: 'iv_1', name: 'Order 1' }, 'NAME'],
  [{ id: 'api_req_1', method: 'GET', path: '/events' }, 'PATH'],
  [{ id: 'whe_1', url: 'https://shop.example' }, 'URL'],
  [{ id: 'cust_1', email: 'ann@shop.example' }, 'EMAIL'],
])('what %j is called has the title %s', (row, title) => {
  expect(tableOf([row], 80, plain).split('\n')[0]).toMatch(new RegExp(` ${title}$`))
})

test('the names of events are listed whole', () => {
  const names = Object.keys(EVENT_NAMES)
  const table = tableOf(
    names.map((name) => ({ id: `ev_${'1'.repeat(32)}`, name, fired_at: '2026-11-27T12:00:00.000Z' })),
    120,
    (_, text) => text,
  )
  for (const name of names) expect(table).toContain(`${name} `)
})

test('the same key does it once', async () => {
  const line = 'invoices create --name once --amount 1.00 --currency EUR --idempotency-key once-1'
  expect(await create(line)).toBe(await create(line))
})

describe('for people', () => {
  test('a list is a table of 80 columns at most, and says how to go on', async () => {
    const ids = await Promise.all([invoice(), invoice(), invoice()])
    const { out, err } = await terminal.run(['invoices', 'list', '--limit', '2'])
    const lines = out.trimEnd().split('\n')
    expect(lines).toHaveLength(3)
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80)
    expect(out).toMatch(/^ID +STATUS +AMOUNT +NAME/)
    expect(err).toMatch(/^These are 2 of \d+\. Use --all, or --start-after iv_/)
    const all = await terminal.run(['invoices', 'list', '--all', '--json'])
    const listed = all.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).id)
    for (const id of ids) expect(listed).toContain(id)
  })

  test('half of a character is never printed: not where a name is cut, and not where it came so', () => {
    const [, line = ''] = tableOf([{ id: 'iv_1', name: `${'a'.repeat(30)}😀😀` }], 80, plain).split('\n')
    expect(line).toBe(`iv_1  ${'a'.repeat(30)}…`)
    expect(describeAnswer({ name: 'a\ud83d' }, plain)).toBe('name  a\ufffd')
    expect(jsonOf({ names: ['\ude00a', '😀'] })).toBe('{"names":["\ufffda","😀"]}')
  })

  test('a list of words is one line, and a list of objects is below its name', () => {
    const answer = { events: ['invoice.paid', 'invoice.expired'], rules: [{ kind: 'block' }, { kind: 'route' }] }
    const expected = 'events  invoice.paid, invoice.expired\nrules\n  kind  block\n\n  kind  route'
    expect(describeAnswer(answer, plain)).toBe(expected)
  })

  test('what others have written cannot move the cursor', async () => {
    const id = await create('invoices create --amount 1.00 --currency EUR', '--name', 'A\u001b[2JB\u202eC')
    for (const args of [
      ['invoices', 'retrieve', id],
      ['invoices', 'list', '--limit', '1'],
    ])
      expect((await terminal.run(args)).out).toMatch(/A\ufffd\[2JB\ufffdC/)
  })
})
