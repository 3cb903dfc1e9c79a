import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { EVENT_NAMES } from '../../../domain/webhook-event.ts'
import { METHODS } from '../../../scripts/node-client/methods.ts'
import { TEST_CARD } from '../../../test/support/card-data.ts'
import { makeReceiver, type Receiver } from '../../../test/support/receiver.ts'
import { makeStack, type Stack } from '../../../test/support/stack.ts'
import { OPERATIONS } from '../src/generated/operations.ts'
import { wordsOf } from '../src/operations/operation.ts'
import { describe as describeAnswer } from '../src/output/describe.ts'
import { tableOf } from '../src/output/table.ts'
import { ADYEN_ACCOUNT, ADYEN_REPORT, putDifference } from './books.ts'
import { credentialsOf, makeTerminal, type Terminal } from './terminal.ts'

/** Every operation of the interface by its command, against a service that runs. */

let stack: Stack
let receiver: Receiver
let terminal: Terminal
const called = new Set<string>()

beforeAll(async () => {
  stack = await makeStack({ mode: 'together' })
  receiver = await makeReceiver()
  terminal = await makeTerminal(stack.project.secretKey, credentialsOf(stack))
  await writeFile(cardFile('card.json'), JSON.stringify(CARD))
})
afterAll(async () => {
  await terminal.remove()
  await receiver.stop()
  await stack.stop()
})

const CARD = { number: TEST_CARD.number, exp_month: 12, exp_year: 2035, cvc2: TEST_CARD.cvc }
const cardFile = (name: string) => join(terminal.folder, name)

/** The words of a command, and what it prints as JSON. */
async function ask(line: string, ...more: string[]) {
  const args = [...line.split(' '), ...more]
  const operation = OPERATIONS.filter((one) => line.startsWith(wordsOf(one).join(' '))).toSorted(
    (one, other) => other.method.length - one.method.length,
  )[0]
  if (operation !== undefined) called.add(operation.method)
  return terminal.json(...args)
}

const create = async (line: string, ...more: string[]): Promise<string> => (await ask(line, ...more)).id
const invoice = (...more: string[]) =>
  create('invoices create --amount 29.00 --currency EUR', '--name', 'Order 1', ...more)
const card = () => create(`cards create --data ${cardFile('card.json')}`)
const captured = async () => {
  const id = await invoice()
  await ask(`invoices capture ${id} --source ${await card()}`)
  return id
}

test('invoices', async () => {
  const id = await invoice('--metadata', '{"shop":"7"}')
  expect(await ask(`invoices retrieve ${id}`)).toMatchObject({ name: 'Order 1', amount: '29.00' })
  expect(await ask(`invoices show ${id}`)).toMatchObject({ id })
  expect(await ask(`invoices update ${id} --order-id 42`)).toMatchObject({ order_id: '42' })
  const list = 'invoices list --filter metadata.shop:7 status:pending --limit 5'
  expect(await ask(list)).toMatchObject({ data: [{ id }], has_more: false, total_count: 1 })
  expect(await ask(`invoices delete ${id}`)).toEqual({ success: true })
})

test('cards, whose numbers come from a file or a pipe', async () => {
  const { code, out } = await terminal.run(['cards', 'create', '--data', '-', '--name', 'Ann', '--json'], {
    input: JSON.stringify({ ...CARD, name: 'Bob' }),
  })
  const { id, name } = JSON.parse(out)
  // What stands on the command line wins.
  expect([code, name]).toEqual([0, 'Ann'])
  expect(await ask(`cards retrieve ${await card()} --expand token`)).toMatchObject({ last_4_digits: '4242' })
  expect(await ask(`cards update ${id} --name Eve`)).toMatchObject({ name: 'Eve' })
  expect((await ask('cards list --limit 2')).data).toHaveLength(2)
  expect(await ask('iins retrieve 424242')).toMatchObject({ scheme: 'visa' })
  await ask(`cards delete ${id}`)
})

test('customers, and their sources', async () => {
  const id = await create('customers create --email ann@shop.example')
  const tokenId = await create(`customers tokens create ${id} --source ${await card()} --set-default`)
  expect(await ask(`customers tokens retrieve ${id} ${tokenId} --expand card`)).toMatchObject({
    card: { last_4_digits: '4242' },
  })
  expect(await ask(`customers tokens update ${id} ${tokenId} --description blue`)).toMatchObject({
    description: 'blue',
  })
  expect((await ask(`customers tokens list ${id}`)).data).toMatchObject([{ id: tokenId }])
  expect(await ask(`customers update ${id} --last-name Martin`)).toMatchObject({ default_token_id: tokenId })
  expect(await ask(`customers retrieve ${id}`)).toMatchObject({ last_name: 'Martin' })
  expect((await ask('customers list')).data).toMatchObject([{ id }])
  const invoiceId = await invoice()
  await ask(`invoices assign-customer ${invoiceId} --customer-id ${id}`)
  expect(await ask(`invoices retrieve-customer ${invoiceId}`)).toMatchObject({ id })
  await ask(`invoices capture ${invoiceId} --source ${id}`)
  expect((await ask(`customers list-transactions ${id}`)).data).toMatchObject([{ invoice_id: invoiceId }])
  await ask(`customers tokens delete ${id} ${tokenId}`)
  await ask(`customers delete ${id}`)
})

test('a payment: authorized, raised, captured in part, refunded, and read from every side', async () => {
  const id = await invoice('--incremental')
  const authorized = await ask(`invoices authorize ${id} --source ${await card()} --expand operations`)
  expect(authorized).toMatchObject({ outcome: 'success', transaction: { status: 'authorized' } })
  const raised = await ask(`invoices increment-authorization ${id} --amount 5.00`)
  expect(raised.transaction).toMatchObject({ authorized_amount: '34.00' })
  const { transaction } = await ask(`invoices capture ${id} --capture-amount 20.00`)
  expect(transaction).toMatchObject({ status: 'completed', captured_amount: '20.00' })
  const { refund } = await ask(`invoices refund ${id} --amount 5.00 --reason customer_request`)
  await ask(`transactions refund ${transaction.id} --amount 1.00`)
  expect(await ask(`invoices synchronize ${id}`)).toMatchObject({ invoice: { id } })
  expect(await ask(`transactions retrieve ${transaction.id}`)).toMatchObject({ refunded_amount: '6.00' })
  expect(await ask(`transactions retrieve-refund ${transaction.id} ${refund.id}`)).toMatchObject({ amount: '5.00' })
  for (const list of [
    `invoices list-refunds ${id}`,
    `transactions list-refunds ${transaction.id}`,
    `refunds list --filter transaction_id:${transaction.id}`,
  ])
    expect(await ask(list)).toMatchObject({ total_count: 2 })
  expect((await ask(`invoices list-transactions ${id}`)).data).toMatchObject([{ id: transaction.id }])
  expect((await ask(`transactions list --filter invoice_id:${id}`)).data).toMatchObject([{ id: transaction.id }])
  expect(await ask('disputes list')).toMatchObject({ data: [] })
})

test('a void, the clock, and a customer who has to act', async () => {
  const voided = await invoice()
  await ask(`invoices authorize ${voided} --source ${await card()}`)
  expect(await ask(`invoices void ${voided}`)).toMatchObject({ transaction: { status: 'voided' } })
  const expired = await invoice()
  await ask(`invoices authorize ${expired} --source ${await card()}`)
  expect(await ask(`invoices advance-clock ${expired} --seconds 604860`)).toMatchObject({
    transaction: { status: 'voided' },
  })
  await writeFile(cardFile('challenge.json'), JSON.stringify({ ...CARD, number: '4000000000000101' }))
  const source = await create(`cards create --data ${cardFile('challenge.json')}`)
  const asked = await invoice()
  expect(await ask(`invoices authenticate ${asked} --source ${source} --enable-three-d-s-2`)).toMatchObject({
    outcome: 'pending',
    customer_action: { type: expect.any(String) },
  })
  const other = await create(`cards create --data ${cardFile('challenge.json')}`)
  const { code, err } = await terminal.run(['invoices', 'authorize', await invoice(), '--source', other])
  expect([code, err]).toEqual([3, expect.stringMatching(/send them to http.*, and run the command again/)])
})

test('a decline ends with 3, and with its code', async () => {
  await writeFile(cardFile('declined.json'), JSON.stringify({ ...CARD, number: '4000000000002180' }))
  const source = await create(`cards create --data ${cardFile('declined.json')}`)
  const id = await invoice()
  const { code, err } = await terminal.run(['invoices', 'authorize', id, '--source', source])
  expect([code, err]).toEqual([3, expect.stringMatching(/\(card\.do-not-honor\).*can be paid with another source/s)])
})

test('a decline of a refund and a capture after the end promise no other source', async () => {
  await writeFile(cardFile('refund.json'), JSON.stringify({ ...CARD, number: '4000000000000077' }))
  const paid = await invoice()
  await ask(`invoices capture ${paid} --source ${await create(`cards create --data ${cardFile('refund.json')}`)}`)
  const ended = await invoice()
  await ask(`invoices authorize ${ended} --source ${await card()}`)
  await ask(`invoices advance-clock ${ended} --seconds 604860`)
  for (const command of [
    ['refund', paid],
    ['capture', ended],
  ]) {
    const { code, err } = await terminal.run(['invoices', ...command])
    expect([code, err]).toEqual([3, expect.stringMatching(/\(gateway\.(declined|expired)\)/)])
    expect(err).not.toContain('another source')
  }
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

test('events and webhook endpoints', async () => {
  const created = await ask(`webhook-endpoints create --url ${receiver.url} --events-whitelist transaction.captured`)
  const { id } = created
  expect(await ask(`webhook-endpoints rotate-secret ${id} --previous-expires-in 3600`)).toMatchObject({
    secret: expect.stringMatching(/^whsec_/),
  })
  const invoiceId = await captured()
  const [webhook] = await receiver.waitForCount(1)
  const { event_id: eventId } = JSON.parse(webhook?.body ?? '')
  expect(await ask(`events retrieve ${eventId}`)).toMatchObject({ name: 'transaction.captured' })
  const list = `events list --filter invoice_id:${invoiceId} --order asc`
  await stack.waitFor(async () => (await ask(list)).total_count === 4)
  expect((await ask(`${list} --limit 1`)).data).toMatchObject([{ name: 'transaction.requested' }])
  expect(await ask(`events resend ${eventId} --endpoint-id ${id}`)).toMatchObject({ webhooks: [{ run: 1 }] })
  await receiver.waitForCount(2)
  expect((await ask(`events list-webhooks ${eventId}`)).data).toHaveLength(1)
  expect((await ask(`webhook-endpoints list-webhooks ${id}`)).data).toHaveLength(1)
  expect(await ask(`webhook-endpoints test ${id}`)).toMatchObject({ name: 'webhook-endpoint.test' })
  const since = new Date(Date.now() - 60_000).toISOString()
  expect(await ask(`webhook-endpoints recover ${id} --since ${since}`)).toMatchObject({ has_more: false })
  const changed = await ask(`webhook-endpoints update ${id} --description books --enabled false`)
  expect(changed).toMatchObject({ description: 'books', enabled: false })
  expect(await ask(`webhook-endpoints retrieve ${id}`)).toEqual(changed)
  expect((await ask('webhook-endpoints list')).data).toEqual([changed])
  await ask(`webhook-endpoints delete ${id}`)
})

test('gateways and routing rules', async () => {
  const id = await create('gateway-configurations create simulator --name second --enabled false')
  expect(await ask(`gateway-configurations update ${id} --name third`)).toMatchObject({ name: 'third' })
  expect(await ask(`gateway-configurations retrieve ${id}`)).toMatchObject({ gateway_name: 'simulator' })
  expect((await ask('gateway-configurations list')).data).toHaveLength(2)
  await ask(`gateway-configurations delete ${id}`)
  await writeFile(cardFile('rules.txt'), 'block { condition: card_country == FR; }')
  const rules = await create(`routing-rules create --rules @${cardFile('rules.txt')}`)
  expect(await ask('routing-rules retrieve')).toMatchObject({ rule_set: { id: rules } })
  expect(await ask('routing-rules explain --payment', '{"amount":"29.00","currency":"EUR"}')).toMatchObject({
    outcome: 'routed',
  })
  await ask('routing-rules deactivate')
  expect(await ask(`rule-sets activate ${rules}`)).toMatchObject({ id: rules })
  expect(await ask(`rule-sets retrieve ${rules}`)).toMatchObject({ version: 1 })
  expect((await ask('rule-sets list')).data).toMatchObject([{ id: rules }])
  await ask('routing-rules deactivate')
})

test('reconciliations, their differences, and a report of a gateway', async () => {
  await putDifference(stack)
  const run = await ask('reconciliations retrieve rec_1')
  expect((await ask('reconciliations list --filter status:completed')).data).toEqual([run])
  const open = await ask('reconciliation-differences retrieve rec_diff_1')
  expect((await ask('reconciliation-differences list --filter status:open')).data).toEqual([open])
  expect(await ask('reconciliation-differences resolve rec_diff_1 --reason', 'A fee.')).toMatchObject({
    status: 'resolved',
    resolution: 'A fee.',
  })
  await writeFile(cardFile('adyen.json'), JSON.stringify(ADYEN_ACCOUNT))
  await writeFile(cardFile('report.csv'), ADYEN_REPORT)
  const id = await create(`gateway-configurations create adyen --data ${cardFile('adyen.json')}`)
  const handIn = `gateway-configurations hand-in-settlement-file ${id} --content @${cardFile('report.csv')}`
  expect(await ask(handIn)).toMatchObject({ source: 'file', lines_count: 1 })
  await ask(`gateway-configurations delete ${id}`)
})

test('the service and its request log', async () => {
  expect(await ask('service versions')).toMatchObject({ current_version: expect.any(String) })
  expect((await ask('service error-codes')).error_codes.length).toBeGreaterThan(100)
  expect(await ask('service check-liveness')).toEqual({ success: true })
  expect(await ask('service check-readiness')).toMatchObject({ database: true, temporal: true })
  const list = 'api-requests list --filter path:/cards --limit 1'
  await stack.waitFor(async () => (await ask(list)).count === 1)
  const [{ id }] = (await ask(list)).data
  expect(await ask(`api-requests retrieve ${id}`)).toMatchObject({
    path: '/cards',
    user_agent: expect.stringMatching(/ holdfast-cli\/\d/),
  })
})

test('every operation that the client for Node has was called', () => {
  expect([...called].toSorted()).toEqual(Object.values(METHODS).toSorted())
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

  test('a list of words is one line, and a list of objects is below its name', () => {
    const answer = { events: ['invoice.paid', 'invoice.expired'], rules: [{ kind: 'block' }, { kind: 'route' }] }
    const expected = 'events  invoice.paid, invoice.expired\nrules\n  kind  block\n\n  kind  route'
    expect(describeAnswer(answer, (_, text) => text)).toBe(expected)
  })

  test('what others have written cannot move the cursor', async () => {
    const id = await create('invoices create --amount 1.00 --currency EUR', '--name', 'A\u001b[2JB\u202eC')
    for (const args of [
      ['invoices', 'retrieve', id],
      ['invoices', 'list', '--limit', '1'],
    ])
      expect((await terminal.run(args)).out).toMatch(/A\ufffd\[2JB\ufffdC/)
  })

  test('the help of every command has an example', async () => {
    for (const operation of OPERATIONS) {
      const { code, out } = await terminal.run([...wordsOf(operation), '--help'])
      expect([operation.method, code, out.includes(`Examples:\n  holdfast ${wordsOf(operation).join(' ')}`)]).toEqual([
        operation.method,
        0,
        true,
      ])
    }
  })
})
