import { environmentOf } from '../../../domain/environment.ts'
import { accountChanges, findAccountProblems, type InstalledGateway } from '../../gateways/account.ts'
import { ApiError } from '../../http/api-error.ts'
import { isFields } from '../../http/bodies/fields.ts'
import type { AppDeps } from '../../http/dependencies.ts'
import { type Problem, problem } from '../../http/input/input.ts'
import type { Fields } from '../../http/middleware/body.ts'
import type { GatewayConfigurationRow } from '../../persistence/entities/gateway-configuration.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { findOpenInvoices, lockAccount } from '../../persistence/queries/payments/open-at-gateway.ts'
import type { ConfigurationInput } from './gateway-configuration-input.ts'

type Values = Readonly<Record<string, string>>
type Changes = Readonly<Record<string, string | null>>

export type AccountColumns = Pick<
  GatewayConfigurationRow,
  'credentialsCiphertext' | 'credentialsKeyId' | 'credentialsHash' | 'credentialsSetAt' | 'settings' | 'accountVersion'
>

type Deps = Pick<AppDeps, 'vault' | 'clock'>

export const EMPTY_ACCOUNT: AccountColumns = {
  credentialsCiphertext: null,
  credentialsKeyId: null,
  credentialsHash: null,
  credentialsSetAt: {},
  settings: {},
  accountVersion: 1,
}

export interface ChangedAccount {
  columns: AccountColumns
  /** The changed fields that may make it another account. */
  changes: ReturnType<typeof accountChanges>
}

type Account = Pick<GatewayConfigurationRow, 'id' | 'sandbox'> & AccountColumns
type Given = Pick<ConfigurationInput, 'credentials' | 'settings'>

/** What the adapter could not use in an account that a request has changed: all that is wrong, each at its field. */
export function accountProblems(deps: Deps, gateway: InstalledGateway, row: Account, fields: Fields): Problem[] {
  const given = { credentials: changesIn(fields.credentials), settings: changesIn(fields.settings) }
  const { after } = applied(deps, row, given)
  return findAccountProblems(gateway, { ...after, environment: environmentOf(row.sandbox) }).map(({ path, message }) =>
    problem(path, message),
  )
}

/** The texts and nulls of a group as it was sent; nothing else is stored. */
function changesIn(group: unknown): Changes {
  const isChange = (entry: [string, unknown]): entry is [string, string | null] =>
    typeof entry[1] === 'string' || entry[1] === null
  return isFields(group) ? Object.fromEntries(Object.entries(group).filter(isChange)) : {}
}

/** Each credential and setting of a request replaces the one with its name, and null removes it. */
function applied({ vault }: Deps, row: Account, { credentials = {}, settings = {} }: Given) {
  const before = { credentials: vault.decryptCredentials(row), settings: row.settings }
  const after = { credentials: merged(before.credentials, credentials), settings: merged(row.settings, settings) }
  return { before, after }
}

/** Applies a request without `accountProblems` to an account. */
export function changeAccount(deps: Deps, gateway: InstalledGateway, row: Account, given: Given): ChangedAccount {
  const { before, after } = applied(deps, row, given)
  const changes = accountChanges(gateway, { before, after })
  const isOther = changes.settings.length > 0 || changes.keys.length > 0
  const accountVersion = isOther ? row.accountVersion + 1 : row.accountVersion
  const columns = {
    ...credentialColumns(deps, row, given.credentials ?? {}, after),
    settings: after.settings,
    accountVersion,
  }
  return { columns, changes }
}

function credentialColumns(
  deps: Deps,
  row: Pick<GatewayConfigurationRow, 'id'> & AccountColumns,
  given: Changes,
  { credentials }: { credentials: Values },
): Omit<AccountColumns, 'settings' | 'accountVersion'> {
  const names = Object.keys(credentials)
  const { credentialsCiphertext, credentialsKeyId, credentialsHash, credentialsSetAt } =
    names.length === 0 ? EMPTY_ACCOUNT : row
  if (Object.keys(given).length === 0 || names.length === 0)
    return { credentialsCiphertext, credentialsKeyId, credentialsHash, credentialsSetAt }
  const { ciphertext, keyId, hash } = deps.vault.encryptCredentials(row.id, credentials)
  const now = deps.clock.now().toISOString()
  const setAt = (name: string) => (given[name] == null ? (row.credentialsSetAt[name] ?? now) : now)
  return {
    credentialsCiphertext: ciphertext,
    credentialsKeyId: keyId,
    credentialsHash: hash,
    credentialsSetAt: Object.fromEntries(names.sort().map((name) => [name, setAt(name)])),
  }
}

function merged(known: Values, changes: Changes): Values {
  const all: [string, string | null][] = Object.entries({ ...known, ...changes })
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== null))
}

/** How many invoices the error message names. */
const NAMED_MAX = 5

/**
 * Refuses to change the account of a gateway configuration while something is open there, because another account would not
 * know the calls. A new key may belong to the same account, so it waits only for unanswered calls. The account stays locked
 * until the end of the database transaction, so that no attempt uses the old one afterwards.
 *
 * @param changes the fields that may make it another account; at least one.
 * @throws ApiError with the open invoices.
 */
export async function refuseWhileOpen(
  em: EntityManager,
  configurationId: string,
  { settings, keys }: ChangedAccount['changes'],
): Promise<void> {
  await lockAccount(em, configurationId)
  const which = settings.length > 0 ? 'anything' : 'unanswered'
  const invoiceIds = await findOpenInvoices(em, { configurationId, which, limit: NAMED_MAX + 1 })
  if (invoiceIds.length === 0) return
  const named = invoiceIds.slice(0, NAMED_MAX).join(', ')
  const invoices = `invoices ${named}${invoiceIds.length > NAMED_MAX ? ' and others' : ''}`
  const fields = [...settings, ...keys].join(' and ')
  const message =
    which === 'anything'
      ? `${fields} cannot be changed now: money is reserved at this account, or a call has no final outcome (${invoices}). Create another gateway configuration for another account.`
      : `${fields} cannot be changed now: calls to this account have no answer yet (${invoices}). Try again when they have.`
  throw new ApiError('request.configuration.in-use', message)
}
