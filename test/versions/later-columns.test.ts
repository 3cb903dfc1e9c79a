import { expect, test } from '@jest/globals'
import { execute } from '../../src/persistence/statements.ts'
import { challenge } from '../support/bank.ts'
import { stackForFile } from '../support/stack-for-file.ts'
import { createStory } from '../support/story.ts'

/** Adds to each table a column that must have a value. */
const COLUMNS = `
  select format('alter table %I.%I add column of_later text not null default %L', schemaname, tablename, 'added') as sql
    from pg_tables where schemaname in ('public', 'simulator') and tablename <> 'applied_sql'`

const stack = stackForFile()
const story = createStory(stack)

test('payments of every kind and the request log go on where a later version has given each table a column that must have a value', async () => {
  // Connections have plans of before.
  const { invoiceId: before } = await story.pay()
  const { orm } = stack.database
  for (const { sql } of await execute<{ sql: string }>(orm, COLUMNS, [])) await orm.em.fork().execute(sql)

  await story.post(before, 'capture')
  expect((await story.post(before, 'refunds', { amount: '1.00' })).body.outcome).toBe('success')
  await story.pay({ authorize_only: false })
  const { id: disputed } = await stack.createInvoice()
  const card = await stack.createCard({ number: '4000000000000069' })
  await story.post(disputed, 'authorize', { source: card.id, authorize_only: false })
  const { id: challenged } = await stack.createInvoice()
  const { id: source } = await stack.createCard({ number: '4000000000000101' })
  const asked = await story.post(challenged, 'authorize', { source, enable_three_d_s_2: true })
  const continued = await challenge(asked.body.customer_action.value, '1234')
  await story.post(challenged, 'authorize', { source: continued, enable_three_d_s_2: true })
  expect((await story.post(challenged, 'void')).body.transaction.status).toBe('voided')
  await stack.waitFor(async () => {
    const logged = await execute<{ path: string }>(orm, 'select path from api_request', [])
    return logged.some(({ path }) => path.includes(challenged) && path.endsWith('/void'))
  })
})
