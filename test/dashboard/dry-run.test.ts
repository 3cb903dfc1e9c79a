import { beforeAll, expect, test } from '@jest/globals'
import { dryRunAnswer } from '../../src/dashboard/contract.ts'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { VelocityRecordEntity } from '../../src/persistence/entities/velocity-record.ts'
import { PRODUCTION_WAITS } from '../../src/waits.ts'
import { interfaceForFile } from '../http/interface.ts'
import { rowWriter } from '../http/row-writer.ts'
import { recordStatements } from '../http/statements.ts'
import { forFile } from '../support/for-file.ts'
import { waitFor } from '../support/wait-for.ts'
import { type Browser, signedInAs } from './browser.ts'

const waits = { ...PRODUCTION_WAITS }
const api = interfaceForFile({ waits })
const person = forFile(async () => signedInAs(api, 'developer'))
const rows = forFile(async () => rowWriter(api, api.merchant))
const NO_RULES = 'block { enabled: false; }'
const SECOND = 'gway_conf_Second'
const NO_EFFECTS = { refused: 0, no_longer_refused: 0, moved: 0, newly_three_ds: 0, no_longer_three_ds: 0 }

beforeAll(async () => {
  await rows.insert(GatewayConfigurationEntity, {
    id: SECOND,
    gatewayName: 'simulator',
    name: 'Second',
    enabled: true,
    createdAt: new Date('2026-11-22T00:00:00Z'),
  })
  await rows.customer('cust_Ada', { firstName: 'Ada', lastName: 'Lovelace' })
  for (const [name, amountMinor, scheme] of [
    ['Small', 500, 'visa'],
    ['Large', 90_000, 'visa'],
    ['Master', 500, 'mastercard'],
  ] as const) {
    const createdAt = new Date(Date.parse('2026-11-20T12:00:00Z') + amountMinor)
    await rows.invoice(`iv_${name}`, { amountMinor, orderId: `Order ${name}` })
    await rows.card(`card_${name}`, { scheme })
    await rows.transaction(`tr_${name}`, `iv_${name}`, {
      ...{ amountMinor, createdAt, cardId: `card_${name}`, customerId: 'cust_Ada' },
    })
  }
})

const dryRun = (body: object) => person.post('/dashboard/routing-rules/dry-run', body)

const toSecond = (condition: string) => `route { gateways: ${SECOND}; condition: ${condition}; }`

test('shows what rules would change about the latest payments, and changes nothing', async () => {
  const before = await api.database.dump()
  const answer = await dryRun({ rules: toSecond('currency == EUR AND amount >= 500') })
  expect(answer.body).toMatchObject({ success: true })
  const { dry_run: shown } = dryRunAnswer.parse(answer.body)
  expect([shown.payments, shown.is_partial, shown.changed]).toEqual([3, false, 1])
  expect(shown.changes).toEqual([
    {
      invoice_id: 'iv_Large',
      name: 'Order 1',
      order_id: 'Order Large',
      customer_name: 'Ada Lovelace',
      currency: 'EUR',
      amount: '900.00',
      card_scheme: 'visa',
      created_at: expect.stringMatching(/^2026-11-20T12:01:30/),
      before: expect.objectContaining({ outcome: 'routed', rule: null }),
      after: expect.objectContaining({ outcome: 'routed', gateway_configuration_ids: [SECOND] }),
    },
  ])
  expect(shown.gateways).toEqual(
    expect.arrayContaining([
      { gateway_configuration_id: rows.gatewayConfigurationId, before: 3, after: 2 },
      { gateway_configuration_id: SECOND, before: 0, after: 1 },
    ]),
  )
  expect(await api.database.dump()).toBe(before)
})

test('counts what was tried by the time of each payment, and nothing later', async () => {
  for (const [name, at] of [
    ['Small', '2026-11-20T12:00:00.500Z'],
    ['Large', '2026-11-20T12:01:30Z'],
  ] as const)
    await rows.insert(VelocityRecordEntity, {
      operationId: `tr_op_${name}`,
      invoiceId: `iv_${name}`,
      cardFingerprint: 'f'.repeat(64),
      at: new Date(at),
      createdAt: new Date(at),
    })
  const rules = 'block { condition: velocity{path: card_fingerprint; interval: 1h} >= 1; }'
  const { dry_run: shown } = dryRunAnswer.parse((await dryRun({ rules })).body)
  // The others have the same card; the first one was tried by none.
  expect(shown.changes.map(({ invoice_id: id }) => id).toSorted()).toEqual(['iv_Large', 'iv_Master'])
})

test('compares with the active rules, and counts what is blocked', async () => {
  const activated = await person.post('/routing-rules', { rules: toSecond('card_scheme == mastercard') })
  expect(activated.body).toMatchObject({ success: true })
  const { dry_run: shown } = dryRunAnswer.parse(
    (await dryRun({ rules: 'block { condition: card_scheme == mastercard; }' })).body,
  )
  expect(
    shown.changes.map(({ invoice_id: id, before, after }) => [id, before.outcome, after.outcome, after.error_type]),
  ).toEqual([['iv_Master', 'routed', 'not-sent', 'routing-rules.transaction-blocked']])
  expect(shown.gateways).toContainEqual({ gateway_configuration_id: null, before: 0, after: 1 })
})

test('says what each rule meets, how payments change, and which amount has no currency', async () => {
  const rules = `block { condition: amount > 100; }
    block { condition: currency == JPY AND amount > 5; }
    ${toSecond('card_scheme == visa')}
    route { gateways: ${rows.gatewayConfigurationId}; enabled: false; }`
  const { dry_run: shown } = dryRunAnswer.parse((await dryRun({ rules })).body)
  const said = shown.rules.map(({ name, met, applied, has_bare_amount: bare }) => [name, met, applied, bare])
  // The project's own currency is another one, so that the first rule meets nothing.
  expect(said).toEqual([
    ['rule-1-block', 0, 0, true],
    ['rule-2-block', 0, 0, false],
    ['rule-3-route', 2, 2, false],
    ['rule-4-route', 3, 0, false],
  ])
  expect(shown.effects).toEqual({ ...NO_EFFECTS, moved: shown.changed })
  const blocking = await dryRun({ rules: 'block { condition: currency == EUR AND amount > 100; }' })
  expect(dryRunAnswer.parse(blocking.body).dry_run.effects).toMatchObject({ refused: 1, no_longer_refused: 0 })
})

test('counts payments that newly need 3-D Secure, or no longer, and not those that another rule asks for it', async () => {
  const triggered = (condition: string) => `trigger_3ds { condition: ${condition}; }`
  await person.post('/routing-rules', { rules: `${triggered('card_scheme == mastercard')} ${toSecond('amount < 0')}` })
  const run = async (rules: string) => dryRunAnswer.parse((await dryRun({ rules })).body).dry_run
  const every = await run(`${triggered('amount < 0')} ${triggered('currency == EUR')}`)
  expect(every.effects).toEqual({ ...NO_EFFECTS, newly_three_ds: 2 })
  expect(every.changes.map(({ before, after }) => [before.three_ds_rule, after.three_ds_rule])).toEqual([
    [null, 'rule-2-trigger_3ds'],
    [null, 'rule-2-trigger_3ds'],
  ])
  expect((await run(toSecond('card_scheme == mastercard'))).effects).toEqual({
    ...NO_EFFECTS,
    moved: 1,
    no_longer_three_ds: 1,
  })
  // Whoever is refused is asked for nothing.
  expect((await run('trigger_3ds { } block { }')).effects).toEqual({ ...NO_EFFECTS, refused: 3 })
})

test('decides the newest payments while there is time, and says where that was not enough', async () => {
  waits.dryRunMs = 0
  const { dry_run: shown } = dryRunAnswer.parse((await dryRun({ rules: toSecond('currency == EUR') })).body)
  waits.dryRunMs = PRODUCTION_WAITS.dryRunMs
  expect([shown.payments, shown.is_partial]).toEqual([1, true])
  expect(shown.changes.map(({ invoice_id: id }) => id)).toEqual(['iv_Large'])
})

test('runs once at a time for a person, and ends when the caller has gone', async () => {
  const colleague = await signedInAs(api, 'developer')
  const answered = () => api.log.text().split('"route":"/dashboard/routing-rules/dry-run"').length
  let due = answered() + 1
  const statusOf = async (browser: Browser) => {
    due += 1
    return (await browser.post('/dashboard/routing-rules/dry-run', { rules: 'route nowhere' })).status
  }
  const caller = new AbortController()
  const statements = await recordStatements(api.database, async () => {
    await api.database.orm.em.fork().transactional(async (em) => {
      // The first payment waits for us.
      await em.execute('lock table invoice in access exclusive mode')
      const gone = expect(
        person.ask('POST', '/dashboard/routing-rules/dry-run', { rules: NO_RULES }, {}, caller.signal),
      ).rejects.toThrow()
      const waiting = "select from pg_locks where relation = 'invoice'::regclass and not granted"
      await waitFor(async () => (await em.execute(waiting)).length > 0)
      expect(await statusOf(person)).toBe(409)
      expect(await statusOf(colleague)).toBe(400)
      caller.abort()
      await gone
      await waitFor(async () => (await statusOf(person)) === 400)
    })
    await waitFor(() => answered() === due)
  })
  expect(statements.filter((text) => /from "invoice"/.test(text))).toHaveLength(1)
})

test.each([
  [{}, 'rules'],
  [{ rules: 'route nowhere' }, 'rules'],
  [{ rules: NO_RULES, payments: 0 }, 'payments'],
  [{ rules: NO_RULES, payments: 201 }, 'payments'],
])('refuses %j', async (body, field) => {
  const answer = await dryRun(body)
  expect([answer.status, answer.body.invalid_fields?.[0]?.name]).toEqual([400, expect.stringContaining(field)])
})
