/** What is written about an account at a gateway: its fields are data of the gateway, and no gateway is named here. */
import { useState } from 'react'
import type { AccountField, Gateway } from '../../../../../src/dashboard/contract.ts'
import type { ApiError } from '../../service/api.ts'
import { useRead } from '../../service/read.ts'
import { language } from '../../words/language.ts'
import { t } from '../../words/words.ts'

export interface Account {
  name: string
  currency: string
  /** Those that were typed, and null for one to take away; what is there already is told to nobody. */
  credentials: Readonly<Record<string, string | null>>
  settings: Readonly<Record<string, string>>
}

export type Group = 'credentials' | 'settings'

/** What accounts may be added of, in this environment. */
export function useInstalledGateways(): readonly Gateway[] {
  return useRead<{ gateways: Gateway[] }>('/dashboard/gateways').data?.gateways ?? []
}

/** A text of a gateway in the reader's language, where it was translated. */
export function wordsIn(text: AccountField['label']): string {
  return text[language] ?? text.en
}

/** The fields that differ from `before`; null takes a value away. */
export function accountBody(account: Account, before: Account): object {
  const name = account.name.trim()
  const credentials = changedOf(account.credentials, before.credentials)
  const settings = changedOf(account.settings, before.settings)
  return {
    ...(name !== before.name && { name }),
    ...(account.currency !== before.currency && { default_currency: account.currency.trim().toUpperCase() }),
    ...(Object.keys(credentials).length > 0 && { credentials }),
    ...(Object.keys(settings).length > 0 && { settings }),
  }
}

function changedOf(values: Account['credentials'], before: Account['credentials']): Record<string, string | null> {
  const written = Object.entries(values).map(([name, value]) => [name, value === null ? null : value.trim()] as const)
  const changed = written.filter(([name, value]) => value !== (before[name] ?? ''))
  return Object.fromEntries(changed.map(([name, value]) => [name, value === '' ? null : value]))
}

/** The problem of a value before it is sent, in the reader's language; null where there is none to see. */
function problemOf(field: AccountField, value: string, isSet: boolean): string | null {
  const { required, range, form } = field
  if (value === '') return required && !isSet ? t('gateways.form.missing') : null
  if (range !== null && !(/^\d{1,9}$/.test(value) && range.min <= Number(value) && Number(value) <= range.max))
    return t('gateways.form.number', { min: String(range.min), max: String(range.max) })
  if (form !== null && !new RegExp(form.pattern, form.flags).test(value)) return sentence(wordsIn(form.says))
  return null
}

/** The end of a sentence as a sentence of its own. */
function sentence(end: string): string {
  return `${end.charAt(0).toUpperCase()}${end.slice(1)}.`
}

/** The problems of an account by the names of the interface, such as `credentials.secret_key`. */
export type Problems = Readonly<Record<string, string>>

/** @param isSet whether a credential is there already. */
function problemsOf(gateway: Gateway, account: Account, isSet: (name: string) => boolean): Problems {
  const of = (group: Group) =>
    gateway[group].flatMap((field) => {
      const problem = problemOf(
        field,
        (account[group][field.name] ?? '').trim(),
        group === 'credentials' && isSet(field.name),
      )
      return problem === null ? [] : [[`${group}.${field.name}`, problem]]
    })
  return Object.fromEntries([...of('credentials'), ...of('settings')])
}

/** The problems that the service has told, and what of its answer stands at no field. */
export function toldProblems(error: ApiError | null, gateway: Gateway | undefined) {
  const fields = new Set([
    'name',
    'default_currency',
    ...(['credentials', 'settings'] as const).flatMap((group) =>
      (gateway?.[group] ?? []).map(({ name }) => `${group}.${name}`),
    ),
  ])
  const told = error?.invalidFields ?? []
  const isWhole = told.length > 0 && told.every(({ name }) => fields.has(name))
  return {
    problems: Object.fromEntries(told.map(({ name, message }) => [name, sentence(message)])) as Problems,
    rest: isWhole ? null : error,
  }
}

/** An account that is being written, with what is wrong in it. */
export function useAccount(gateway: Gateway | undefined, before: Account, isSet: (name: string) => boolean) {
  const [account, setAccount] = useState(before)
  const [own, setOwn] = useState<Problems>({})
  return {
    account,
    change(next: Account) {
      setAccount(next)
      setOwn({})
    },
    own,
    /** Whether it may be sent; what is wrong is shown. */
    check(): boolean {
      const problems = gateway === undefined ? {} : problemsOf(gateway, account, isSet)
      setOwn(problems)
      return Object.keys(problems).length === 0
    },
  }
}

/** The account with the fields that have one choice only filled in. */
export function withOnlyChoices(account: Account, { settings }: Gateway): Account {
  const only = settings.filter(({ required, choices }) => required && choices?.length === 1)
  return {
    ...account,
    settings: Object.fromEntries(only.map(({ name, choices }) => [name, choices?.[0]?.value ?? ''])),
  }
}
