import { MAINTENANCE_LIMITS } from '../src/persistence/limits.ts'
import { createOrm, type EntityManager } from '../src/persistence/orm.ts'
import type { Core } from '../src/processes/core.ts'
import type { Project } from './shop.ts'

/** A project, and how many payments it has had. */
export type Populated = { project: Project; payments: number }

/** A row of a project that addresses can name. */
export type NamedRow = Record<'transaction_id' | 'invoice_id' | 'card_id' | 'event_id', string>

/**
 * The payments of every project lie within so many days before today, evenly, and so among those of the others. What is older
 * the service would begin to delete from the request log.
 */
const DAYS = 28

/** Sweeps take milliseconds. */
const LOCK_TIMEOUT = '500ms'
const LOCK_ATTEMPTS = 40

/** One in a thousand is pending, so that a project of any size has some. */
const STATUS = `case when n % 1000 = 0 then 'pending' when n % 20 = 0 then 'failed' when n % 4 = 0 then 'authorized'
  else 'completed' end`

const CURRENCY = "case when n % 5 = 0 then 'USD' else 'EUR' end"

/** Always the same for a payment of a project, and in no order. */
const idOf = (prefix: string) => `'${prefix}' || md5(project_id || n)`

/** Columns with values, one row a payment, of every table that grows with payments; `n` counts the payments of a project. */
const TABLES: Readonly<Record<string, string>> = {
  // A third of the cards ends alike, as in a sandbox; of the others each ending has a few. Numbers are erased after a week, as
  // workers do: they would otherwise erase a million of them while something else is measured.
  card: `${idOf('card_')} as id, md5('one' || n) || md5('other' || n) as fingerprint,
    case when n % 3 = 0 then 'mastercard' else 'visa' end as scheme, '42424242' as iin,
    case when n % 3 = 0 then '4242' else lpad((n % 10000)::text, 4, '0') end as last4_digits, 12 as exp_month,
    2030 as exp_year, at as number_erased_at, '{}' as metadata, at as created_at, at as updated_at`,
  invoice: `${idOf('iv_')} as id, 'Order' as name, 'order-' || n as order_id, 2900 + n % 1000 as amount_minor,
    ${CURRENCY} as currency, 'web' as device_channel, false as incremental,
    false as bypass_incremental_authorization, '{}' as metadata, '{}' as gateway_data,
    at as created_at, at as updated_at`,
  transaction: `${idOf('tr_')} as id, ${idOf('iv_')} as invoice_id, ${idOf('card_')} as card_id,
    gateway_configuration_id as gateway_configuration_id, 'simulator' as gateway_name, 'Order' as name,
    ${CURRENCY} as currency,
    ${STATUS} as status, 2900 + n % 1000 as amount_minor, 2900 + n % 1000 as authorized_minor, 0 as captured_minor,
    0 as voided_minor, 0 as refunded_minor, 0 as incremented_minor, false as incremental, 0 as increment_attempts,
    1 as attempts_count, false as expired, 1 as event_count, '{}' as metadata, at as created_at, at as updated_at`,
  payment_status: `${idOf('iv_')} as invoice_id, at as invoice_created_at, ${CURRENCY} as currency,
    ${idOf('tr_')} as transaction_id, at as transaction_created_at, ${STATUS} as status`,
  event: `${idOf('ev_')} as id, case when n % 4 = 0 then 'transaction.authorized' else 'transaction.captured' end as name,
    ${idOf('iv_')} as invoice_id, ${idOf('tr_')} as transaction_id, 1 as sequence,
    '{"transaction":{"amount":"29.00"}}' as data, at as fired_at`,
  api_request: `${idOf('req_')} as id, 'request-' || n as request_id, 'POST' as method, '/invoices' as path,
    case when n % 50 = 0 then 400 else 200 end as status,
    case when n % 50 = 0 then 'request.validation.error' end as error_type, false as has_idempotency_key, 12 as latency_ms,
    at as created_at`,
}

/** The payment in the middle of a project. */
export async function middleOf(em: EntityManager, { project, payments }: Populated): Promise<NamedRow> {
  const [row] = await em.execute<NamedRow[]>(
    `select transaction.id as transaction_id, transaction.invoice_id, transaction.card_id, event.id as event_id
       from transaction join event on event.transaction_id = transaction.id
      where transaction.project_id = ? order by transaction.created_at offset ? limit 1`,
    [project.projectId, payments / 2],
  )
  if (row === undefined) throw new Error('The project has no payments.')
  return row
}

/**
 * Gives projects payments, each a row of every table that grows with payments, without making them: a million in a few
 * minutes. Triggers and foreign keys are left out, since the rows fit together and nothing that is measured reads the audit
 * log.
 */
export async function populate(
  core: Pick<Core, 'orm'>,
  populated: readonly Populated[],
  say: (line: string) => void,
): Promise<void> {
  const projects = populated.map(
    ({ project, payments }) => `('${project.projectId}', '${project.gatewayConfigurationId}', ${payments})`,
  )
  // A million rows take longer than any statement of the service may.
  const orm = await createOrm({ databaseUrl: databaseUrlOf(core), limits: MAINTENANCE_LIMITS })
  try {
    const em = orm.em.fork()
    await em.transactional((transaction) => fill(transaction, projects, say))
    say('Cleaning up')
    await em.execute('vacuum analyze')
    // Otherwise PostgreSQL would write gigabytes of what was filled in while the first calls are measured.
    await em.execute('checkpoint')
  } finally {
    await orm.close(true)
  }
}

export function databaseUrlOf({ orm }: Pick<Core, 'orm'>): string {
  return String(orm.config.get('clientUrl'))
}

async function fill(em: EntityManager, projects: readonly string[], say: (line: string) => void) {
  await em.execute('set local session_replication_role = replica')
  await em.execute(`set local maintenance_work_mem = '256MB'`)
  await lockAll(em, Object.keys(TABLES))
  for (const [table, columns] of Object.entries(TABLES)) {
    say(`Filling ${table}`)
    // An index is made of many rows in a fraction of the time in which it takes them one by one. Those of constraints stay.
    const indexes = await em.execute<{ name: string; definition: string }[]>(
      `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
        where indrelid = ?::regclass and not exists (select from pg_constraint where conindid = indexrelid)`,
      [table],
    )
    for (const { name } of indexes) await em.execute(`drop index ${name}`)
    // The columns are named by what they are selected as.
    const names = [...columns.matchAll(/ as (\w+)\s*(?:,|$)/g)].map(([, name]) => name)
    await em.execute(
      `insert into ${table} (project_id, sandbox, ${names.join(', ')})
       select project_id, true, ${columns}
         from (values ${projects.join(', ')}) as project (project_id, gateway_configuration_id, payments),
           lateral generate_series(1, payments) n,
           lateral (select date_trunc('day', now()) - (n - random()) * interval '${DAYS} days' / payments as at) instant
        order by at`,
    )
    for (const { definition } of indexes) await em.execute(definition)
  }
}

/**
 * All at once, and before anything is done: a sweep of the service that reads several of them might wait for one of ours while
 * we wait for one of its own. Where a sweep has one of the tables, none is kept while it is waited for, so that it can go on.
 */
async function lockAll(em: EntityManager, tables: readonly string[]): Promise<void> {
  await em.execute(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
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
