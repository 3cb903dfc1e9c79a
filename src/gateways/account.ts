import type { Capabilities } from '../../domain/capabilities.ts'
import type { Environment } from '../../domain/environment.ts'
import { nearestName } from '../../domain/nearest-name.ts'
import { GUARD_SETTINGS, readLimit, withoutGuardSettings } from './guard/limits.ts'

type Values = Readonly<Record<string, string>>

/** The merchant's data of an account, as it would be after a change. */
export interface AccountValues {
  environment: Environment
  credentials: Values
  settings: Values
}

/**
 * A problem of an account: the field, such as `credentials.secret_key`, and the end of a sentence after its name. It
 * repeats no value.
 */
export interface AccountProblem {
  path: string
  message: string
}

/** A gateway's own account of what it has booked. */
export interface Settlement {
  /** `list`: it is asked each day. `file`: the merchant hands its reports in. */
  source: 'list' | 'file'
  /** How much later than our books it may book, or the other way round, before that is a difference. */
  graceMs: number
}

/** A gateway as the setup of accounts needs it; it cannot make calls. */
export interface InstalledGateway {
  name: string
  /** As people write it. */
  displayName: string
  /** The most that it can do. */
  capabilities: Capabilities
  /** The names of accepted credentials; no others are stored. */
  credentialNames: readonly string[]
  /** The names of accepted settings; no others are stored. */
  settingNames: readonly string[]
  /** The settings that identify the account. They cannot change while anything is open there. */
  accountSettings: readonly string[]
  /** The credentials used for calls. They cannot change while a call has no answer. */
  callKeys: readonly string[]
  /** Settings that customers' pages may see, such as a publishable key. */
  publicSettings: readonly string[]
  /** How it tells what it has booked; null where it tells nothing. */
  settlement: Settlement | null
  /** The first reason why the gateway cannot be used with these values; null without one. */
  accountProblem(account: AccountValues): AccountProblem | null
}

type Change = Record<'before' | 'after', Pick<AccountValues, 'credentials' | 'settings'>>

/**
 * The changed fields that may make it another account, such as `settings.account`: settings that identify the account, and
 * the keys for calls, which may belong to another one.
 */
export function accountChanges(gateway: InstalledGateway, { before, after }: Change) {
  const changed = (field: 'credentials' | 'settings', names: readonly string[]) =>
    names.filter((name) => before[field][name] !== after[field][name]).map((name) => `${field}.${name}`)
  return {
    settings: changed('settings', gateway.accountSettings),
    keys: changed('credentials', gateway.callKeys),
  }
}

/** The longest stored value; gateways' keys have at most 200 characters. */
const VALUE_LENGTH_MAX = 2048

/** The names of all settings that an account takes: those of its gateway, and those of the guard. */
export function acceptedSettings({ settingNames }: Pick<InstalledGateway, 'settingNames'>): string[] {
  return [...new Set([...settingNames, ...Object.keys(GUARD_SETTINGS)])]
}

/** Checks the rules of all gateways, and then those of this one. */
export function findAccountProblem(gateway: InstalledGateway, account: AccountValues): AccountProblem | null {
  const settingNames = acceptedSettings(gateway)
  return (
    unknownName('credentials', gateway.credentialNames, account.credentials, settingNames) ??
    unknownName('settings', settingNames, account.settings, gateway.credentialNames) ??
    unfitValue('credentials', account.credentials) ??
    unfitValue('settings', account.settings) ??
    unfitLimit(account.settings) ??
    gateway.accountProblem({ ...account, settings: withoutGuardSettings(account.settings) })
  )
}

function unknownName(
  field: 'credentials' | 'settings',
  known: readonly string[],
  given: Values,
  others: readonly string[],
): AccountProblem | null {
  const name = Object.keys(given).find((candidate) => !known.includes(candidate))
  if (name === undefined) return null
  const path = `${field}.${name}`
  if (others.includes(name)) {
    const other = field === 'credentials' ? 'settings' : 'credentials'
    return { path, message: `belongs to ${other}: send it as ${other}.${name}` }
  }
  const nearest = nearestName(name, known)
  const hint = nearest === undefined ? '' : `; the nearest one is ${nearest}`
  const list = known.length === 0 ? 'takes none' : `takes ${known.join(', ')}`
  return { path, message: `is not known: this gateway ${list}${hint}` }
}

/** Secrets travel in headers, which a control character would break. */
function unfitValue(field: 'credentials' | 'settings', given: Values): AccountProblem | null {
  for (const [name, value] of Object.entries(given)) {
    const path = `${field}.${name}`
    if (value === '') return { path, message: 'is empty; null removes it' }
    if (value.length > VALUE_LENGTH_MAX) return { path, message: `must have ${VALUE_LENGTH_MAX} characters at most` }
    if (!/^[\x20-\x7e]+$/.test(value)) return { path, message: 'must be printable ASCII' }
    if (value !== value.trim()) return { path, message: 'begins or ends with a blank' }
  }
  return null
}

function unfitLimit(settings: Values): AccountProblem | null {
  for (const [name, [min, max]] of Object.entries(GUARD_SETTINGS)) {
    if (settings[name] === undefined || readLimit(settings, name as keyof typeof GUARD_SETTINGS) !== null) continue
    return { path: `settings.${name}`, message: `must be a whole number from ${min} to ${max}` }
  }
  return null
}
