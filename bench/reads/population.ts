import { createHash } from 'node:crypto'
import { MAINTENANCE_LIMITS } from '../../src/persistence/limits.ts'
import { createOrm, type EntityManager } from '../../src/persistence/orm.ts'
import type { Project } from '../payments/project.ts'

/** A project, and how many payments it has had. */
export interface Populated {
  project: Pick<Project, 'projectId' | 'gatewayConfigurationId'>
  payments: number
}

/**
 * The payments of every project lie within so many days before today, evenly, and so among those of the others. What is older
 * the service would begin to delete from the request log.
 */
const DAYS = 28

/** Sweeps take milliseconds. */
const LOCK_TIMEOUT = '500ms'
const LOCK_ATTEMPTS = 40

type Tables = Readonly<Record<string, Readonly<Record<string, string>>>>

/** One row a payment of each of these tables; `n` counts the payments of a project. */
const TABLES: Tables = {
  card: {
    id: idOf('card_'),
    fingerprint: `md5('one' || n) || md5('other' || n)`,
    scheme: `case when n % 3 = 0 then 'mastercard' else 'visa' end`,
    iin: `'42424242'`,
    // A third ends alike, as in a sandbox; of the others each ending has a few cards.
    last4_digits: `case when n % 3 = 0 then '4242' else lpad((n % 10000)::text, 4, '0') end`,
    exp_month: '12',
    exp_year: '2030',
    // Erased after a week, as workers do: they would otherwise erase a million of them while something else is measured.
    number_erased_at: 'at',
    metadata: `'{}'`,
    created_at: 'at',
    updated_at: 'at',
  },
  invoice: {
    id: idOf('iv_'),
    name: `'Order'`,
    order_id: `'order-' || n`,
    amount_minor: '2900 + n % 1000',
    currency: `case when n % 5 = 0 then 'USD' else 'EUR' end`,
    device_channel: `'web'`,
    incremental: 'false',
    bypass_incremental_authorization: 'false',
    metadata: `'{}'`,
    gateway_data: `'{}'`,
    created_at: 'at',
    updated_at: 'at',
  },
  transaction: {
    id: idOf('tr_'),
    invoice_id: idOf('iv_'),
    card_id: idOf('card_'),
    gateway_configuration_id: 'gateway_configuration_id',
    gateway_name: `'simulator'`,
    name: `'Order'`,
    currency: `case when n % 5 = 0 then 'USD' else 'EUR' end`,
    // One in a thousand is pending, so that a project of any size has some.
    status: `case when n % 1000 = 0 then 'pending' when n % 20 = 0 then 'failed'
      when n % 4 = 0 then 'authorized' else 'completed' end`,
    amount_minor: '2900 + n % 1000',
    authorized_minor: '2900 + n % 1000',
    captured_minor: '0',
    voided_minor: '0',
    refunded_minor: '0',
    incremented_minor: '0',
    incremental: 'false',
    increment_attempts: '0',
    attempts_count: '1',
    expired: 'false',
    event_count: '1',
    metadata: `'{}'`,
    created_at: 'at',
    updated_at: 'at',
  },
  event: {
    id: idOf('ev_'),
    name: `case when n % 4 = 0 then 'transaction.authorized' else 'transaction.captured' end`,
    invoice_id: idOf('iv_'),
    transaction_id: idOf('tr_'),
    sequence: '1',
    data: `'{"transaction":{"amount":"29.00"}}'`,
    fired_at: 'at',
  },
  api_request: {
    id: idOf('req_'),
    request_id: `'request-' || n`,
    method: `'POST'`,
    path: `'/invoices'`,
    status: `case when n % 50 = 0 then 400 else 200 end`,
    error_type: `case when n % 50 = 0 then 'request.validation.error' end`,
    has_idempotency_key: 'false',
    latency_ms: '12',
    created_at: 'at',
  },
}

/** An event's way to an endpoint, of which a project has one: a row each, too. */
export const WEBHOOK_TABLES: Tables = {
  delivery: {
    id: idOf('whd_'),
    event_id: idOf('ev_'),
    target_url: `'https://shop.example/webhooks'`,
    endpoint_id: `'whe_' || md5(project_id)`,
    status: `case when n % 100 = 0 then 'failed' else 'delivered' end`,
    first_attempt_at: 'at',
    ended_at: 'at',
    queued_at: 'at',
    created_at: 'at',
  },
  delivery_attempt: {
    id: idOf('wha_'),
    delivery_id: idOf('whd_'),
    attempt: '1',
    response_code: 'case when n % 100 = 0 then 500 else 200 end',
    failure_reason: `case when n % 100 = 0 then 'status' end`,
    response_time_ms: '40',
    started_at: 'at',
    request_url: `'https://shop.example/webhooks'`,
    response_body: `'{"received":true}'`,
    response_headers: `'{"content-type":"application/json"}'`,
  },
}

/** The id of the endpoint that the webhooks of a project go to. */
export function endpointOf(projectId: string): string {
  return `whe_${createHash('md5').update(projectId).digest('hex')}`
}

/** Always the same for a payment of a project, and in no order. */
function idOf(prefix: string): string {
  return `'${prefix}' || md5(project_id || n)`
}

/**
 * Gives projects payments, each a row of every table that grows with payments, without making them: a million in a few
 * minutes. Triggers and foreign keys are left out, since the rows fit together and nothing that is measured reads the audit
 * log.
 */
export async function populate(
  em: EntityManager,
  populated: readonly Populated[],
  say: (line: string) => void,
  more: Tables = {},
): Promise<void> {
  const projects = populated.map(
    ({ project, payments }) => `('${project.projectId}', '${project.gatewayConfigurationId}', ${payments})`,
  )
  // A million rows take longer than any statement of the service may.
  const orm = await createOrm({ databaseUrl: em.config.get('clientUrl') ?? '', limits: MAINTENANCE_LIMITS })
  try {
    await fill(orm.em.fork(), { ...TABLES, ...more }, projects, say)
  } finally {
    await orm.close(true)
  }
}

async function fill(
  em: EntityManager,
  tables: Tables,
  projects: readonly string[],
  say: (line: string) => void,
): Promise<void> {
  await em.transactional(async (transaction) => {
    await transaction.execute('set local session_replication_role = replica')
    await transaction.execute(`set local maintenance_work_mem = '256MB'`)
    // All at once, and before anything is done: a sweep of the service that reads several of them might wait for one of ours
    // while we wait for one of its own.
    await transaction.execute(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
    await lockAll(transaction, Object.keys(tables))
    for (const [table, columns] of Object.entries(tables)) {
      say(`Filling ${table}`)
      // An index is made of many rows in a fraction of the time in which it takes them one by one.
      const indexes = await indexesOf(transaction, table)
      for (const { name } of indexes) await transaction.execute(`drop index ${name}`)
      await transaction.execute(
        `insert into ${table} (project_id, sandbox, ${Object.keys(columns).join(', ')})
         select project_id, true, ${Object.values(columns).join(', ')}
           from (values ${projects.join(', ')}) as project (project_id, gateway_configuration_id, payments),
             lateral generate_series(1, payments) n,
             lateral (select date_trunc('day', now()) - (n - random()) * interval '${DAYS} days' / payments as at) instant
          order by at`,
      )
      for (const { definition } of indexes) await transaction.execute(definition)
    }
  })
  say('Cleaning up')
  await em.execute('vacuum analyze')
  // Otherwise PostgreSQL would write gigabytes of what was filled in while the first calls are measured.
  await em.execute('checkpoint')
}

/** Where a sweep has one of the tables, none is kept while it is waited for, so that the sweep can go on. */
async function lockAll(em: EntityManager, tables: readonly string[]): Promise<void> {
  for (let left = LOCK_ATTEMPTS; ; left -= 1) {
    await em.execute('savepoint unlocked')
    try {
      await em.execute(`lock table ${tables.join(', ')} in access exclusive mode`)
      await em.execute('set local lock_timeout = 0')
      return
    } catch (error) {
      if (left === 1) throw error
      await em.execute('rollback to savepoint unlocked')
    }
  }
}

/** Those that no constraint needs. */
async function indexesOf(em: EntityManager, table: string): Promise<{ name: string; definition: string }[]> {
  return em.execute(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
      where indrelid = ?::regclass and not exists (select from pg_constraint where conindid = indexrelid)`,
    [table],
  )
}
