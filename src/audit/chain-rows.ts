import { isDeepStrictEqual } from 'node:util'
import { AUDITED_TABLES, type AuditedTable, isSettings, nothingIn } from '../database/audited-columns.ts'
import type { AuditEntry } from './entry.ts'

type State = Record<string, unknown>

/** What the entries of one chain make of its rows: by table and id, such as `operation tr_op_…`. */
export interface ChainRows {
  /** Takes the next entry; gives what is wrong about it, in words. */
  take(entry: AuditEntry): string[]
  /** Holds the rows of the database against those of the log; gives what is wrong about them. */
  compare(found: readonly { table: AuditedTable; state: State }[]): string[]
}

/** The entries about rows of a project's chain; between them are those of acts, which no row stands for. */
const ROW_ACT = /^row-/

/** @param of what the chain is about: a payment, or the settings of a project or of the service. */
export function createChainRows(of: 'payment' | 'settings'): ChainRows {
  const rows = new Map<string, State>()

  const take = (entry: AuditEntry): string[] => {
    const [table = '', act = ''] = entry.kind.split('.')
    if (of === 'settings' && !ROW_ACT.test(act)) return []
    const facts = parse(entry.facts)
    const isOfChain = Object.hasOwn(AUDITED_TABLES, table) && isSettings(table) === (of === 'settings')
    if (facts === null || !isOfChain) return ['cannot be read']
    const key = `${table} ${facts.id}`
    const faults = apply(key, act.replace(ROW_ACT, ''), { ...(of === 'payment' && unsaidOf(entry, table)), ...facts })
    const state = rows.get(key)
    return state === undefined || isOf(entry, table, state)
      ? faults
      : [...faults, `is not of the project and environment that it tells of the ${key}`]
  }

  const apply = (key: string, act: string, facts: State): string[] => {
    const known = rows.get(key)
    if (act === 'created') {
      rows.set(key, facts)
      return known === undefined ? [] : [`creates the ${key} a second time`]
    }
    if (known === undefined) return [`is about the ${key}, which no entry has created`]
    if (act === 'deleted') {
      rows.delete(key)
      return of === 'settings' ? [] : [`tells that the ${key} was deleted, and nothing of the record ever is`]
    }
    return Object.entries((facts.changes ?? {}) as Record<string, unknown>).flatMap(([column, change]) => {
      const [before, after] = Array.isArray(change) ? change : []
      const wrong = isAlike(known[column], before) ? [] : [`changes the ${column} of the ${key} from what it was not`]
      known[column] = after
      return wrong
    })
  }

  const compare = (found: readonly { table: AuditedTable; state: State }[]): string[] => {
    const here = new Map(found.map(({ table, state }) => [`${table} ${state.id}`, state]))
    const faults: string[] = []
    for (const [key, logged] of rows) {
      const state = here.get(key)
      if (state === undefined) faults.push(`the ${key} is in the log and not in the record`)
      else faults.push(...differences(key, logged, state))
    }
    for (const key of here.keys()) if (!rows.has(key)) faults.push(`the ${key} is in the record and not in the log`)
    return faults
  }
  return { take, compare }
}

/** What the facts of a payment's entry leave out of a new row. */
function unsaidOf({ projectId, sandbox, chain }: AuditEntry, table: string): State {
  const transaction = table === 'transaction' ? {} : { transaction_id: chain }
  return { ...nothingIn(table), project_id: projectId, sandbox, ...transaction }
}

/** A project is of itself, and of both environments; a person is of no project. */
function isOf({ projectId, sandbox }: AuditEntry, table: string, state: State): boolean {
  const owner = table === 'project' ? state.id : (state.project_id ?? null)
  return projectId === owner && sandbox === (state.sandbox ?? null)
}

function differences(key: string, logged: State, state: State): string[] {
  return [...new Set([...Object.keys(logged), ...Object.keys(state)])]
    .filter((column) => !isAlike(logged[column], state[column]))
    .map((column) => {
      const [theirs, ours] = [state[column], logged[column]].map((value) => JSON.stringify(value ?? null))
      return `the ${column} of the ${key} is ${theirs}, and the log ends with ${ours}`
    })
}

/** Null and absent are the same: the log leaves out what a new row does not have. */
function isAlike(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(withoutNulls(one), withoutNulls(other))
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value ?? undefined
  const given = Object.entries(value).filter(([, one]) => one !== null)
  return Object.fromEntries(given.map(([name, one]) => [name, withoutNulls(one)]))
}

function parse(text: string): State | null {
  try {
    const facts: unknown = JSON.parse(text)
    return typeof facts === 'object' && facts !== null && !Array.isArray(facts) ? (facts as State) : null
  } catch {
    return null
  }
}
