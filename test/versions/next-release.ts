import type { Orm } from '../../src/persistence/orm.ts'
import { execute } from '../../src/persistence/statements.ts'
import { type Change, type CodeTree, plantChanged } from './code-trees.ts'

/**
 * A release that comes after this one, made of it: in each way in which the next may differ. Every table has another column
 * that must have a value, and a function that payments call reads one; runs take another step, behind a patch; a card is
 * declined with another code, and an authorization fires another event.
 */
const CHANGES: readonly Change[] = [
  { file: 'package.json', from: '"version": "', to: '"version": "9' },
  { file: 'workflows/patches.ts', from: 'PATCHES = {', to: "PATCHES = { next: { id: 'next-release' }," },
  ...['workflows/payment-run.ts', 'workflows/webhook.ts'].map((file) => ({
    file,
    from: "} from '@temporalio/workflow'",
    to: "} from '@temporalio/workflow'\nimport { patched, sleep as step } from '@temporalio/workflow'\nimport { PATCHES } from './patches.ts'",
  })),
  {
    file: 'workflows/payment-run.ts',
    from: '    switch (command.kind) {',
    to: '    if (patched(PATCHES.next.id)) await step(1)\n    switch (command.kind) {',
  },
  {
    file: 'workflows/webhook.ts',
    from: '  const offsets = planRetries(',
    to: '  if (patched(PATCHES.next.id)) await step(1)\n  const offsets = planRetries(',
  },
  {
    file: 'src/persistence/entities/transaction.ts',
    from: '    invoiceId: p.string(),',
    to: "    invoiceId: p.string(),\n    nextRelease: p.string().default('written by the next release'),",
  },
  { file: 'src/database/audited-columns.ts', from: 'id project_id sandbox', to: 'id next_release project_id sandbox' },
  {
    file: 'src/database/sql/functions/open-payment.sql',
    from: "      'is_suspended',",
    to: "      'next_release', transaction.next_release,\n      'is_suspended',",
  },
  {
    file: 'domain/errors/payment.ts',
    from: "  'card.already-blocked':",
    to: "  'card.next-release': never('A reason of the next release.', NEVER_AGAIN),\n  'card.already-blocked':",
  },
  {
    file: 'src/gateways/simulator/test-cards.ts',
    from: "declined('card.do-not-honor')",
    to: "declined('card.next-release')",
  },
  {
    file: 'domain/webhook-event.ts',
    from: "  'transaction.captured':",
    to: "  'transaction.of-next-release': 'An event of the next release.',\n  'transaction.captured':",
  },
  {
    file: 'domain/transaction.ts',
    from: "'authorized', ['transaction.authorized']),",
    to: "'authorized', ['transaction.authorized', 'transaction.of-next-release']),",
  },
]

/** After all of this one. */
const MIGRATIONS = 'src/database/migrations/20990101'

export async function plantNext(orm: Orm): Promise<CodeTree> {
  const columns = (await columnsOfNext(orm)).map(({ sql }, index) => [
    `${MIGRATIONS}${String(index).padStart(6, '0')}-column.sql`,
    sql,
  ])
  const index = [
    `${MIGRATIONS}999999-index.concurrently.sql`,
    'create index concurrently transaction_next_release on transaction (project_id, next_release);',
  ]
  return plantChanged(CHANGES, Object.fromEntries([...columns, index]))
}

/** A column that must have a value, for each table there is. */
function columnsOfNext(orm: Orm): Promise<{ sql: string }[]> {
  return execute(
    orm,
    `select format('alter table %I.%I add column next_release text not null default %L;', schemaname, tablename, 'added') as sql
       from pg_tables where schemaname in ('public', 'simulator') and tablename <> 'applied_sql' order by 1`,
    [],
  )
}
