import type { EntityManager } from '../../persistence/orm.ts'
import type { SqlCondition } from '../../persistence/queries/lists/list-conditions.ts'
import type { Scope } from '../../persistence/queries/scope.ts'

/** Where a text of the search field may stand. An index serves each place. */
interface Place {
  table: 'invoice' | 'transaction' | 'card' | 'customer'
  /** What a payment calls a row of the table. */
  column: 'invoice_id' | 'id' | 'card_id' | 'customer_id'
  /** What a row meets. */
  sql: string
  /** The same, of a row that is at hand, where it can be asked faster. */
  ofOne?: string
  /** In which order rows are read: those where it stands whole, and is not only the beginning, come first. */
  inOrderOf: string | null
  /** What a row meets where it stands there whole; null where it is compared whole. */
  whole: string | null
  /** A name may be the beginning of another one; a number, an address or an id that is there whole counts alone. */
  isName?: true
  /** The texts that may stand there; by default any. */
  only?: RegExp
}

type Condition = Pick<Place, 'sql' | 'ofOne' | 'inOrderOf' | 'whole'>
type Beginning = Condition & { whole: string }

/** As people write it, in whatever case. No text goes on beyond the last character that there is. */
const begins = (column: string): Beginning => ({
  sql: `search_text(${column}) >= (select text from sought) and search_text(${column}) < (select text || U&'\\+10FFFF' from sought)`,
  ofOne: `starts_with(search_text(${column}), (select text from sought))`,
  inOrderOf: `search_text(${column})`,
  whole: `search_text(${column}) = (select text from sought)`,
})

/** Others may have a name that begins with this one. */
const name = (column: string) => ({ ...begins(column), isName: true }) as const

/** A deleted customer has neither; the indexes know the others alone. */
const ofLiving = <Asked extends Beginning>(asked: Asked) => ({
  ...asked,
  sql: `deleted_at is null and ${asked.sql}`,
  whole: `deleted_at is null and ${asked.whole}`,
})

const given = '(select given from sought)'

/** An id of ours, likewise. Beyond its z there is none, in whatever order the database sorts. */
const ID: Beginning = {
  sql: `id >= ${given} and id < ${given} || repeat('z', 40) and starts_with(id, ${given})`,
  inOrderOf: 'id',
  whole: `id = ${given}`,
}

const equals = (column: string): Condition => ({ sql: `${column} = ${given}`, inOrderOf: null, whole: null })

const INVOICE = { table: 'invoice', column: 'invoice_id' } as const
const TRANSACTION = { table: 'transaction', column: 'id' } as const
const CARD = { table: 'card', column: 'card_id' } as const
const CUSTOMER = { table: 'customer', column: 'customer_id' } as const

const PLACES: readonly Place[] = [
  { ...INVOICE, ...begins('order_id') },
  { ...INVOICE, ...name('name') },
  { ...INVOICE, ...equals('reference_id') },
  { ...INVOICE, ...ID, only: /^iv_/ },
  { ...TRANSACTION, ...ID, only: /^tr_/ },
  { ...CARD, ...ID, only: /^card_/ },
  { ...CARD, ...equals('last4_digits'), only: /^\d{4}$/ },
  { ...CARD, ...name('name') },
  { ...CARD, ...name(`substring(name from '\\S+$')`) },
  { ...CUSTOMER, ...ID, only: /^cust_/ },
  { ...CUSTOMER, ...equals('deleted_at is null and reference_id') },
  { ...CUSTOMER, ...ofLiving(begins('email')) },
  { ...CUSTOMER, ...ofLiving(name(`coalesce(first_name || ' ', '') || coalesce(last_name, '')`)) },
  { ...CUSTOMER, ...ofLiving(name('last_name')) },
]

/**
 * Rows of one place that are named. Where more have a name that begins with the text, those whose name it is count alone, if
 * there are any; else payments are asked one after the other whether theirs is among them.
 */
const IDS_MAX = 1_000

/** The payments that a text stands for: those of the rows that are named, and those that meet one of the conditions. */
export interface FoundText {
  ids: Readonly<Record<Place['column'], ReadonlySet<string>>>
  /** Of the columns of `scanned`, with `sought` at hand. */
  conditions: readonly SqlCondition[]
  sought: SqlCondition
}

/** What stands before the number of an order where people write of it, in the languages of the pages. */
const BEFORE_ORDER = /^(?:order|bestellung|commande)?\s*#?\s*(?=\S+$)/iu

/** As pages show a card, and as it is copied from them, with words between: `Visa •••• 2206`. */
const SHOWN_CARD = /^\D*[•*]\D*(\d{4})$/u

/** The text, and what it stands for where nothing is called so. */
function readingsOf(text: string): string[] {
  return [...new Set([text, text.replace(BEFORE_ORDER, ''), text.replace(SHOWN_CARD, '$1')])]
}

/** Looks a text up in every place, as it is and, where nothing is found, as people write and copy it. */
export async function findText(em: EntityManager, scope: Scope, text: string): Promise<FoundText> {
  const [first = text, ...others] = readingsOf(text)
  let found = await findReading(em, scope, first)
  for (const reading of others) if (isEmpty(found)) found = await findReading(em, scope, reading)
  return found
}

const isEmpty = ({ ids, conditions }: FoundText): boolean =>
  conditions.length === 0 && Object.values(ids).every((some) => some.size === 0)

/**
 * PostgreSQL plans without knowing the text: one that it takes for a frequent one, and is not, would have it read whole
 * tables.
 */
async function findReading(em: EntityManager, { projectId, sandbox }: Scope, text: string): Promise<FoundText> {
  const places = PLACES.filter(({ only }) => only?.test(text) ?? true)
  const sought = {
    sql: 'sought as materialized (select ?::text as given, search_text(?) as text)',
    values: [text, text],
  }
  // Those that stand there whole are counted by their index: to compare the text of each row found takes far longer.
  const found = ({ table, sql, order = '' }: { table: string; sql: string; order?: string }) =>
    `(select id from ${table} where project_id = ? and sandbox = ? and ${sql} ${order} limit ${IDS_MAX + 1}) found`
  const lookUps = places.map(
    ({ table, sql, inOrderOf, whole }, index) =>
      `select ${index} as place,
              (select array_agg(id) from ${found({ table, sql, order: inOrderOf === null ? '' : `order by ${inOrderOf}` })}) as ids,
              ${whole === null ? '0' : `(select count(*)::int from ${found({ table, sql: whole })})`} as whole`,
  )
  const rows = await em.execute<{ place: number; ids: string[] | null; whole: number }[]>(
    `with ${sought.sql} ${lookUps.join(' union all ')}`,
    [
      ...sought.values,
      ...places.flatMap(({ whole }) => [projectId, sandbox, ...(whole === null ? [] : [projectId, sandbox])]),
    ],
  )
  // One may be found in several places.
  const ids = {
    ...{ invoice_id: new Set<string>(), id: new Set<string>() },
    ...{ card_id: new Set<string>(), customer_id: new Set<string>() },
  }
  const frequent: Place[] = []
  for (const { place, ids: found, whole } of rows) {
    const asked = places[place] as Place
    const { column, isName = false } = asked
    const all = found ?? []
    const named = whole > 0 && (!isName || all.length > IDS_MAX) ? all.slice(0, whole) : all
    if (named.length <= IDS_MAX) for (const id of named) ids[column].add(id)
    else frequent.push(asked)
  }
  for (const id of await triedWith(em, ids.card_id)) ids.id.add(id)
  const tables = new Set(frequent.map(({ table }) => table))
  const conditions = [...tables].flatMap((table) => frequentlyIn(frequent.filter((asked) => asked.table === table)))
  return { ids, conditions, sought }
}

/** Of authorizations: the result of one that was declined. The index `operation_card` has them by their cards. */
const DECLINED = `type = 'authorization' and not is_attempt and has_failed`

/** The payments for which one of the cards was declined: another one may have been tried since. */
async function triedWith(em: EntityManager, cards: ReadonlySet<string>): Promise<string[]> {
  if (cards.size === 0) return []
  const rows = await em.execute<{ id: string }[]>(
    `select distinct transaction_id as id from operation
      where card_id = any(array(select jsonb_array_elements_text(?::jsonb))) and ${DECLINED} limit ${IDS_MAX}`,
    [JSON.stringify([...cards])],
  )
  return rows.map(({ id }) => id)
}

/**
 * A payment whose row meets one of the conditions, all of one table, or, of cards, one that was declined. By ids and
 * aggregates: of a condition that is asked whether there is any, PostgreSQL may read the whole table first.
 */
function frequentlyIn(places: readonly Place[]): SqlCondition[] {
  const [{ table, column } = INVOICE] = places
  const meets = (id: string) =>
    `(select ${places.map((place) => `(${place.ofOne ?? place.sql})`).join(' or ')} from ${table} one where one.id = ${id})`
  const declined = `(select bool_or(${meets('tried.card_id')}) from operation tried
                      where transaction_id = scanned.id and ${DECLINED})`
  return [meets(`scanned.${column}`), ...(table === 'card' ? [declined] : [])].map((sql) => ({ sql, values: [] }))
}
