import type { Capabilities } from '../../domain/capabilities.ts'
import type { Environment } from '../../domain/environment.ts'
import { nearestName } from '../../domain/nearest-name.ts'
import { GUARD_SETTINGS, readLimit, withoutGuardSettings } from './guard/limits.ts'

type Values = Readonly<Record<string, string>>

/** What a merchant says of an account, as it would be after a change. */
export interface AccountValues {
  environment: Environment
  credentials: Values
  settings: Values
}

/** What is wrong with an account: the field, such as `credentials.secret_key`, and a sentence behind its name, which repeats no value. */
export interface AccountProblem {
  path: string
  message: string
}

/** A gateway as whoever sets up an account there must know it; nothing of it can make a call. */
export interface InstalledGateway {
  name: string
  /** What it can do at best. */
  capabilities: Capabilities
  /** The names of the credentials that it takes; no other is stored. */
  credentialNames: readonly string[]
  /** The names of the settings that it takes; no other is stored. */
  settingNames: readonly string[]
  /** The settings that say which account is asked, and where. They stay as they are while anything is open there. */
  accountSettings: readonly string[]
  /** The credentials that calls are made with. They stay as they are while a call there has no answer. */
  callKeys: readonly string[]
  /** The settings that pages of customers may know, such as a publishable key. */
  publicSettings: readonly string[]
  /** The first thing for which the gateway could not be used with these; null where there is none. */
  accountProblem(account: AccountValues): AccountProblem | null
}

type Change = Record<'before' | 'after', Pick<AccountValues, 'credentials' | 'settings'>>

/**
 * The fields of a change that may make another account of it, such as `settings.account`: of the settings that say which one
 * it is, and of the keys that calls are made with, which may be keys of another.
 */
export function accountChanges(gateway: InstalledGateway, { before, after }: Change) {
  const changed = (field: 'credentials' | 'settings', names: readonly string[]) =>
    names.filter((name) => before[field][name] !== after[field][name]).map((name) => `${field}.${name}`)
  return {
    settings: changed('settings', gateway.accountSettings),
    keys: changed('credentials', gateway.callKeys),
  }
}

/** The longest secret or setting that is stored; keys of gateways have 200 characters at most. */
const VALUE_LENGTH_MAX = 2048

/** What is wrong with an account for whatever gateway, and then for this one. */
export function findAccountProblem(gateway: InstalledGateway, account: AccountValues): AccountProblem | null {
  const settingNames = [...new Set([...gateway.settingNames, ...Object.keys(GUARD_SETTINGS)])]
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

/** Secrets travel in headers, where a control character would end them. */
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
