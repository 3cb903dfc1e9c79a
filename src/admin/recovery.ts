import { environmentOf } from '../../domain/environment.ts'
import { formatAmount } from '../../domain/money.ts'
import type { GatewayOperationType } from '../../domain/operation.ts'
import type { NamedOperation } from '../../domain/recovery.ts'
import { parseInstant } from '../objects/instants.ts'
import type { GatewayConfigurationRow } from '../persistence/entities/gateway-configuration.ts'
import { listGatewayConfigurations } from '../persistence/queries/projects/gateway-configurations.ts'
import { listProjects } from '../persistence/queries/projects/projects.ts'
import { UsageError } from '../processes/command-line.ts'
import type { Comparison, LostPayment, Recovered, Recovery } from '../processes/recovery.ts'
import { StartupError } from '../startup-error.ts'
import { type AdminContext, defineCommand, REASON_OPTION, reasonIn } from './command.ts'
import { readAdminConfig } from './configuration.ts'
import { projectIdOf } from './database.ts'
import { formatInstant, formatTable } from './table.ts'

interface Options {
  since?: string
  until?: string
  gatewayConfiguration?: string
  book?: boolean
  reason?: string
  json?: boolean
}

/** Gateways date what they do by their own clocks; what the record knows is left out anyway. */
const GATEWAY_CLOCK_DIFFERS_MS = 5 * 60_000

/** Payments that are booked at once; each asks its gateway. */
const AT_ONCE = 8

/** How many operations are read, or payments booked, between two lines that say so. */
const PROGRESS_EVERY = 400

/*
 * The adapters of gateways are loaded where they are needed: loading them takes longer than most commands do.
 */

export const recoverBooksCommand = defineCommand<Options>({
  name: 'books recover',
  operands: '[PROJECT_ID]',
  summary: 'After the database was set back: shows what the gateways have done and the record does not know.',
  details:
    'Reads each account of the project, or of all projects, at its gateway. With --book, and a reason, what is shown is booked as the gateway has ' +
    'it, with events and webhooks; no money moves. Again it changes nothing. Run it before workers start, or after they were ' +
    'stopped: docs/operations.md has the steps.',
  options: [
    ['--since <INSTANT>', 'to which the database was set back, such as 2026-11-21T01:17:10Z'],
    ['--until <INSTANT>', 'until now by default'],
    ['--gateway-configuration <ID>', 'only this account'],
    ['--book', 'books what is shown'],
    REASON_OPTION,
    ['--json', 'one object per line and operation'],
  ],
  async run([operand = ''], context) {
    const { values } = context
    const span = spanIn(values)
    const reason = values.book === true ? reasonIn(values) : null
    const config = readAdminConfig({ servers: ['databaseUrl'], keys: true })
    const { openRecovery } = await import('../processes/recovery.ts')
    const recovery = await openRecovery(config)
    try {
      const compared: Compared[] = []
      const failed: string[] = []
      for (const account of await accountsOf(recovery, operand, values.gatewayConfiguration)) {
        try {
          const found = await recovery.compare(account, span, progress(context, account))
          if (found === null) tellUnlisted(context, account)
          else compared.push({ account, found })
        } catch (error) {
          // The others are read all the same.
          if (!(error instanceof StartupError)) throw error
          failed.push(error.message)
        }
      }
      for (const { account, found } of withoutShared(compared))
        await show(recovery, account, found, { ...context, reason })
      if (failed.length > 0) throw new StartupError(failed.join('\n'))
    } finally {
      await recovery.close()
    }
  },
})

interface Compared {
  account: GatewayConfigurationRow
  found: Comparison
}

const SHARED = 'Accounts of several projects list it, and the record has lost whose it is: name the project.'

/** Nothing is booked of an invoice that the record has lost where projects share an account: each of them lists it. */
function withoutShared(compared: readonly Compared[]): Compared[] {
  const listed = compared.flatMap(({ account: { projectId }, found: { lost } }) =>
    lost.filter(({ record }) => record === null).map(({ invoiceId }) => ({ invoiceId, projectId })),
  )
  const byInvoice = Map.groupBy(listed, ({ invoiceId }) => invoiceId)
  const isShared = ({ invoiceId }: LostPayment) =>
    new Set(byInvoice.get(invoiceId)?.map(({ projectId }) => projectId)).size > 1
  return compared.map(({ account, found }) => {
    const lost = found.lost.map((payment) => (isShared(payment) ? { ...payment, problem: SHARED } : payment))
    return { account, found: { ...found, lost } }
  })
}

function spanIn({ since, until }: Options): { from: Date; until: Date } {
  const now = new Date()
  const read = (option: string, text: string): Date => {
    const at = parseInstant(text)
    if (at === null) throw new UsageError(`${option} is an instant with its offset, such as 2026-11-21T01:17:10Z.`)
    return at
  }
  if (since === undefined) throw new UsageError('Say with --since INSTANT to when the database was set back.')
  const from = new Date(read('--since', since).getTime() - GATEWAY_CLOCK_DIFFERS_MS)
  const span = { from, until: until === undefined ? now : read('--until', until) }
  if (span.from >= span.until) throw new UsageError('--since is not before --until.')
  return span
}

async function accountsOf(
  { orm }: Recovery,
  operand: string,
  id: string | undefined,
): Promise<GatewayConfigurationRow[]> {
  const em = orm.em.fork()
  const projectIds = operand === '' ? (await listProjects(em)).map((project) => project.id) : [projectIdOf(operand)]
  const accounts: GatewayConfigurationRow[] = []
  for (const projectId of projectIds)
    for (const account of await listGatewayConfigurations(em, { projectId }))
      if (id === undefined ? account.deletedAt == null : account.id === id) accounts.push(account)
  if (accounts.length > 0) return accounts
  const which = `gateway configuration${id === undefined ? '' : ` ${id}`}`
  throw new StartupError(operand === '' ? `There is no ${which}.` : `The project ${operand} has no ${which}.`)
}

type Context = AdminContext<Options>

function progress({ say, values }: Context, { id }: GatewayConfigurationRow): (operations: number) => void {
  let told = 0
  return (operations) => {
    if (values.json === true || operations < told + PROGRESS_EVERY) return
    told = operations
    say(`${id}: ${operations} operations read …`)
  }
}

const titleOf = ({ projectId, sandbox, gatewayName, id }: GatewayConfigurationRow) =>
  `${projectId} ${environmentOf(sandbox)} ${gatewayName} ${id}`

/** Adyen tells by reports and notifications alone. */
function tellUnlisted({ say, values }: Context, account: GatewayConfigurationRow): void {
  const why = 'its gateway has no list of payments; compare its reports with the books (docs/books.md)'
  say(
    values.json === true
      ? JSON.stringify({ project_id: account.projectId, gateway_configuration_id: account.id, not_listed: why })
      : `${titleOf(account)}: ${why}`,
  )
}

async function show(
  recovery: Recovery,
  account: GatewayConfigurationRow,
  { listed, foreign, lost }: Comparison,
  { say, values, actor, reason }: Context & { reason: string | null },
): Promise<void> {
  const results = new Map<NamedOperation, Recovered>()
  if (reason !== null) {
    const bookable = lost.filter(({ problem }) => problem === null)
    for (let first = 0; first < bookable.length; first += AT_ONCE) {
      if (values.json !== true && first > 0 && first % PROGRESS_EVERY === 0)
        say(`${account.id}: ${first} of ${bookable.length} payments booked …`)
      const batch = bookable.slice(first, first + AT_ONCE)
      // None is left in the middle because another one has failed.
      const ended = await Promise.allSettled(batch.map((payment) => recovery.book(account, payment, { actor, reason })))
      for (const one of ended) {
        if (one.status === 'rejected') throw one.reason
        for (const { operation, recovered } of one.value) results.set(operation, recovered)
      }
    }
  }
  const rows = lost.flatMap((payment) => payment.operations.map((operation) => ({ payment, operation })))
  if (values.json === true) {
    for (const { payment, operation } of rows)
      say(JSON.stringify(jsonOf(account, payment, operation, results.get(operation) ?? null)))
    return
  }
  say(`${titleOf(account)}: ${listed} operations listed, ${rows.length} of them lost, ${foreign} not of this service`)
  if (rows.length === 0) return
  const last = reason === null ? 'TO BOOK' : 'BOOKED'
  say(
    formatTable(
      ['INVOICE', 'GATEWAY SAYS', 'AT', 'RECORD SAYS', last],
      rows.map(({ payment, operation }) => [
        payment.invoiceId,
        wordsOf(operation),
        formatInstant(new Date(operation.at)),
        recordOf(payment),
        reason === null ? (payment.problem ?? 'yes') : resultOf(payment, results.get(operation)),
      ]),
    ),
  )
}

const DONE: Readonly<Record<GatewayOperationType, string>> = {
  authorization: 'authorized',
  increment_authorization: 'raised by',
  capture: 'captured',
  void: 'released',
  refund: 'refunded',
}

function wordsOf({ type, amountMinor, currency }: NamedOperation): string {
  return `${DONE[type]} ${currency} ${formatAmount(amountMinor, currency)}`
}

function recordOf({ record }: LostPayment): string {
  return record === null ? 'no such invoice' : (record.status ?? 'not paid')
}

function resultOf({ problem }: LostPayment, recovered: Recovered | undefined): string {
  switch (recovered?.kind) {
    case undefined:
      return `no: ${problem}`
    case 'left':
      return `no: ${recovered.why}`
    case 'booked':
      return 'yes'
    case 'pending':
      return 'as pending'
    case 'known':
      return 'before'
  }
}

function jsonOf(
  { id, projectId }: GatewayConfigurationRow,
  payment: LostPayment,
  operation: NamedOperation,
  recovered: Recovered | null,
) {
  const { reference, type, amountMinor, currency, at, gatewayAuthorizationId } = operation
  return {
    project_id: projectId,
    gateway_configuration_id: id,
    invoice_id: payment.invoiceId,
    operation_id: reference,
    type,
    amount: formatAmount(amountMinor, currency),
    currency,
    at: new Date(at).toISOString(),
    gateway_authorization_id: gatewayAuthorizationId,
    record: recordOf(payment),
    result: recovered?.kind ?? null,
    problem: recovered?.kind === 'left' ? recovered.why : payment.problem,
  }
}
