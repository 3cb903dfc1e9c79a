import type { Gateway, GatewayAccess } from '../gateways/gateway.ts'
import { GATEWAYS, installedGateway } from '../gateways/installed.ts'
import type { GatewayRegistry } from '../gateways/registry.ts'
import type { Logger } from '../logger.ts'
import type { ReconciliationRow } from '../persistence/entities/reconciliation.ts'
import type { EntityManager } from '../persistence/orm.ts'
import { findAccount } from '../persistence/queries/projects/gateway-configurations.ts'
import { countLines, storeLines } from '../persistence/queries/reconciliations/lines.ts'
import {
  claimReconciliation,
  createDueReconciliations,
  holdReconciliation,
  NotHeld,
  putOffReconciliation,
} from '../persistence/queries/reconciliations/runs.ts'
import type { Vault } from '../vault/vault.ts'
import { type JudgeDeps, judgeBooks } from './judge-books.ts'

/** Clocks of gateways differ from ours, and their lists take a moment: a day is over an hour after its end. */
const DAY_IS_OVER_MS = 60 * 60 * 1000
const DAY_MS = 24 * 60 * 60 * 1000

/** A page of a list has a hundred lines or more, and no payment waits for it. */
const PAGE_TIMEOUT_MS = 30_000

/** Longer texts of failures are those of a gateway that quotes what it was asked. */
const FAILURE_LENGTH_MAX = 200

interface ReconciliationDeps extends JudgeDeps {
  gateways: GatewayRegistry
  vault: Pick<Vault, 'decryptCredentials'>
  logger: Logger
}

/**
 * Has each account's list of each day compared with our books, once. A reconciliation is a row: it is made once for an
 * account and day, is taken up by one process at a time, and goes on where it was left. What fails is tried again, later
 * each time, until it is done.
 */
export async function reconcileDays(deps: ReconciliationDeps, stopping?: AbortSignal): Promise<void> {
  const { orm, clock, randomBytes, logger } = deps
  const gatewayNames = GATEWAYS.flatMap(({ name, settlement }) => (settlement?.source === 'list' ? [name] : []))
  const lastDay = new Date(clock.now().getTime() - DAY_IS_OVER_MS - DAY_MS).toISOString().slice(0, 10)
  const isStopping = () => stopping?.aborted === true
  const due = { gatewayNames, lastDay, now: clock.now(), randomBytes }
  while (!isStopping() && (await createDueReconciliations(orm.em.fork(), due)));
  while (!isStopping()) {
    const run = await claimReconciliation(orm.em.fork(), clock.now())
    if (run === null) return
    const about = { reconciliation_id: run.id, gateway_configuration_id: run.gatewayConfigurationId, day: run.day }
    try {
      await reconcile(deps, run, stopping)
    } catch (error) {
      // Of a process that stops, another one takes it up once it is no longer held.
      if (error instanceof NotHeld || isStopping()) continue
      const nextTryAt = await putOffReconciliation(orm.em.fork(), run, failureOf(error), clock.now())
      logger.warn(
        { ...about, tries: run.tries, next_try_at: nextTryAt, err: error },
        'A reconciliation has failed; it is tried again',
      )
    }
  }
}

async function reconcile(deps: ReconciliationDeps, run: ReconciliationRow, stopping?: AbortSignal): Promise<void> {
  const account = await findAccount(deps.orm.em.fork(), run.gatewayConfigurationId)
  const settlement = account === null ? null : (installedGateway(account.gatewayName)?.settlement ?? null)
  if (account === null || settlement === null) throw new Refused('The gateway lists nothing in this version.')
  if (!run.isListed) {
    const gateway = deps.gateways.find(account.gatewayName)
    const { id: gatewayConfigurationId, settings } = account
    const access = { gatewayConfigurationId, settings, credentials: deps.vault.decryptCredentials(account) }
    await readList(deps, gateway, access, run, stopping)
  }
  await judgeBooks(deps, run, settlement.graceMs, stopping)
}

/** Stores the list page by page, each with the place where it goes on. */
async function readList(
  { orm, clock }: ReconciliationDeps,
  gateway: Gateway,
  access: GatewayAccess,
  run: ReconciliationRow,
  stopping?: AbortSignal,
): Promise<void> {
  if (gateway.listSettlements === undefined) throw new Refused('The gateway has no list.')
  const from = new Date(`${run.day}T00:00:00Z`)
  const span = { from, until: new Date(from.getTime() + DAY_MS) }
  let cursor = run.listCursor ?? null
  do {
    const timeout = AbortSignal.timeout(PAGE_TIMEOUT_MS)
    const signal = stopping === undefined ? timeout : AbortSignal.any([timeout, stopping])
    const page = await gateway.listSettlements({ ...access, ...span, cursor }, signal)
    if (page.kind === 'unreachable') throw new Refused(page.reason)
    if (page.next !== null && page.next === cursor) throw new Refused('The gateway lists the same page again.')
    cursor = page.next
    await orm.em.fork().transactional(async (em: EntityManager) => {
      await storeLines(em, run, page.lines)
      const listed = { listCursor: cursor, isListed: cursor === null, linesCount: await countLines(em, run) }
      await holdReconciliation(em, run, clock.now(), listed)
    })
  } while (cursor !== null)
}

/** What a gateway answers in place of its list, in words for the merchant. */
class Refused extends Error {}

/** Errors of databases and libraries may quote what they were given; of them the kind is said. */
function failureOf(error: unknown): string {
  if (error instanceof Refused) return error.message.slice(0, FAILURE_LENGTH_MAX).toWellFormed()
  return `Failed: ${error instanceof Error ? error.name : 'an unknown error'}.`
}
