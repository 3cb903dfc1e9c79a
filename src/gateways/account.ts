import type { Capabilities } from '../../domain/capabilities.ts'
import type { Environment } from '../../domain/environment.ts'
import { createSuggestions } from '../../domain/nearest-name.ts'
import { GATEWAY_TIMEOUT_MS } from './gateway.ts'
import { CALLS_PER_CONFIGURATION_MAX, GUARD_SETTINGS, withoutGuardSettings } from './guard/limits.ts'

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

/** A text for people: in English, and where it was translated, in other languages of the dashboard. */
export type Words = { readonly en: string } & { readonly [Language in 'de' | 'fr']?: string }

/** A value that a field may have; with `environment`, in that one only. */
export interface Choice {
  value: string
  label: Words
  environment?: Environment
}

/**
 * A credential or a setting of an account, as the validation, the reference and the form of the dashboard read it. Rules
 * about several fields at once are in `problems` of the gateway.
 */
export interface AccountField {
  label: Words
  /** What it is, and where the gateway tells it: a sentence. */
  says: Words
  /** Without it the account cannot be used, in this environment or in any. */
  isRequired?: true | Environment
  /** The only values. */
  choices?: readonly Choice[]
  /** A whole number from the first to the last. */
  range?: readonly [min: number, max: number]
  /** What a value looks like, and the end of a sentence about one that does not: "must begin with …". */
  form?: { pattern: RegExp; says: Words }
  /** What stands in an empty field of the form; of a choice or a number, the default. */
  example?: string
  /** Most accounts do without. */
  isRare?: true
}

/** How a gateway is made to send its notifications, for the person who sets it up. */
export interface NotificationSetUp {
  /** The credential that proves a notification; without it all are refused. */
  proof: string
  /** What to do at the gateway, one thing each; the address is at hand. */
  steps: readonly Words[]
  /** What to choose there, by the gateway's own names; empty where nothing is chosen. */
  events: readonly string[]
  /** What the merchant misses without notifications. */
  otherwise: Words
}

/** A gateway as the setup of accounts needs it; it cannot make calls. */
export interface InstalledGateway {
  name: string
  /** As people write it. */
  displayName: string
  /** The most that it can do. */
  capabilities: Capabilities
  /** Secrets by their names, in the order of the form; no others are stored. */
  credentials: Readonly<Record<string, AccountField>>
  /** What is not secret, by name; no others are stored, but for those of `GUARD_FIELDS`. */
  settings: Readonly<Record<string, AccountField>>
  /** The settings that identify the account. They cannot change while anything is open there. */
  accountSettings: readonly string[]
  /** The credentials used for calls. They cannot change while a call has no answer. */
  callKeys: readonly string[]
  /** Settings that customers' pages may see, such as a publishable key. */
  publicSettings: readonly string[]
  /** Null where it sends none that anybody sets up. */
  notifications: NotificationSetUp | null
  /** How it tells what it has booked; null where it tells nothing. */
  settlement: Settlement | null
  /** What else is wrong, across fields. Values that do not fit their fields are left out. */
  problems(account: AccountValues): AccountProblem[]
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

const ANY_OF = new Intl.ListFormat('en', { type: 'disjunction' })

/** The longest stored value; gateways' keys have at most 200 characters. */
const VALUE_LENGTH_MAX = 2048

/** The settings that every account has; the adapter does not see them. */
const GUARD_FIELDS: Readonly<Record<keyof typeof GUARD_SETTINGS, AccountField>> = {
  max_concurrent_calls: {
    label: { en: 'Calls at once', de: 'Gleichzeitige Aufrufe', fr: 'Appels simultanés' },
    says: {
      en: 'How many calls of one process go to the account at once; fewer where the gateway allows it fewer.',
      de: 'So viele Aufrufe eines Prozesses gehen höchstens gleichzeitig an das Konto; weniger, wo das Gateway weniger erlaubt.',
      fr: "Nombre d'appels simultanés d'un processus vers le compte ; moins si la passerelle en autorise moins.",
    },
    range: GUARD_SETTINGS.max_concurrent_calls,
    example: String(CALLS_PER_CONFIGURATION_MAX),
    isRare: true,
  },
  timeout_ms: {
    label: { en: 'Time limit in ms', de: 'Zeitlimit in ms', fr: 'Délai maximal en ms' },
    says: {
      en: 'How long an answer is waited for. What takes longer is looked up later.',
      de: 'So lange wird auf eine Antwort gewartet. Was länger dauert, wird später nachgefragt.',
      fr: "Durée d'attente d'une réponse. Au-delà, le résultat est recherché plus tard.",
    },
    range: GUARD_SETTINGS.timeout_ms,
    example: String(GATEWAY_TIMEOUT_MS),
    isRare: true,
  },
}

/** The fields that an account may have, by what they are sent in; the settings of the guard are the last. */
export function accountFields({ credentials, settings }: Pick<InstalledGateway, 'credentials' | 'settings'>) {
  return { credentials, settings: { ...settings, ...GUARD_FIELDS } }
}

type FieldKind = keyof ReturnType<typeof accountFields>
const KINDS = ['credentials', 'settings'] as const satisfies readonly FieldKind[]

/** Checks each field, and the whole: all that is wrong, once at its field. */
export function findAccountProblems(gateway: InstalledGateway, account: AccountValues): AccountProblem[] {
  const fields = accountFields(gateway)
  const suggest = createSuggestions()
  const problems = KINDS.flatMap((kind) => [
    ...Object.keys(account[kind]).flatMap((name) => unknownName(fields, kind, name, suggest) ?? []),
    ...Object.entries(fields[kind]).flatMap(([name, field]) => {
      const message = fieldProblem(field, account[kind][name], account.environment)
      return message === null ? [] : [{ path: `${kind}.${name}`, message }]
    }),
  ])
  const told = new Set(problems.map(({ path }) => path))
  const fitting = (kind: FieldKind) =>
    Object.fromEntries(Object.entries(account[kind]).filter(([name]) => !told.has(`${kind}.${name}`)))
  const { environment } = account
  const settings = withoutGuardSettings(fitting('settings'))
  const others = gateway.problems({ environment, credentials: fitting('credentials'), settings })
  return [...problems, ...others.filter(({ path }) => !told.has(path))]
}

function unknownName(
  fields: ReturnType<typeof accountFields>,
  kind: FieldKind,
  name: string,
  suggest: ReturnType<typeof createSuggestions>,
): AccountProblem | null {
  if (Object.hasOwn(fields[kind], name)) return null
  const path = `${kind}.${name}`
  const other = kind === 'credentials' ? 'settings' : 'credentials'
  if (Object.hasOwn(fields[other], name)) return { path, message: `belongs to ${other}: send it as ${other}.${name}` }
  const known = Object.keys(fields[kind])
  const nearest = suggest(name, known)
  const hint = nearest === undefined ? '' : `; the nearest one is ${nearest}`
  const list = known.length === 0 ? 'takes none' : `takes ${known.join(', ')}`
  return { path, message: `is not known: this gateway ${list}${hint}` }
}

/** The end of a sentence about a value; null where it fits. */
function fieldProblem(field: AccountField, value: string | undefined, environment: Environment): string | null {
  if (value === undefined) return isRequired(field, environment) ? 'is missing' : null
  return (
    unfitText(value) ?? unfitChoice(field, value, environment) ?? unfitNumber(field, value) ?? unfitForm(field, value)
  )
}

/** Whether an account of the environment needs the field. */
export function isRequired({ isRequired: needed }: AccountField, environment: Environment): boolean {
  return needed === true || needed === environment
}

/** Secrets travel in headers, which a control character would break. */
function unfitText(value: string): string | null {
  if (value === '') return 'is empty; null removes it'
  if (value.length > VALUE_LENGTH_MAX) return `must have ${VALUE_LENGTH_MAX} characters at most`
  if (!/^[\x20-\x7e]+$/.test(value)) return 'must be printable ASCII'
  return value === value.trim() ? null : 'begins or ends with a blank'
}

/** The choices of a field in an environment. */
export function choicesIn({ choices = [] }: AccountField, environment: Environment): readonly Choice[] {
  return choices.filter((choice) => (choice.environment ?? environment) === environment)
}

function unfitChoice(field: AccountField, value: string, environment: Environment): string | null {
  if (field.choices === undefined) return null
  const values = choicesIn(field, environment).map((choice) => choice.value)
  if (values.includes(value)) return null
  const isOfOther = field.choices.some((choice) => choice.value === value)
  return `must be ${ANY_OF.format(values)}${isOfOther ? ` in the ${environment} environment` : ''}`
}

function unfitNumber({ range }: AccountField, value: string): string | null {
  if (range === undefined) return null
  const [min, max] = range
  const isWithin = /^\d{1,9}$/.test(value) && min <= Number(value) && Number(value) <= max
  return isWithin ? null : `must be a whole number from ${min} to ${max}`
}

function unfitForm({ form }: AccountField, value: string): string | null {
  return form === undefined || form.pattern.test(value) ? null : form.says.en
}

/** The field of a setting that is on or off. */
export const YES_OR_NO: readonly Choice[] = [
  { value: 'true', label: { en: 'Yes', de: 'Ja', fr: 'Oui' } },
  { value: 'false', label: { en: 'No', de: 'Nein', fr: 'Non' } },
]
