import type { EntitySchema } from '@mikro-orm/postgresql'

export const AT = new Date('2026-11-21T01:17:10.123Z')

/** Text that would break a statement put together by hand, or a name that the JSON of PostgreSQL takes amiss. */
export const HOSTILE = `O'Brien ?? "$1" \\' \\u0041 {"a":1} %s -- ;\n\t€ 😀`

export const ADDRESS = {
  address1: HOSTILE,
  address2: HOSTILE,
  city: HOSTILE,
  state: HOSTILE,
  countryCode: 'FR',
  zip: '75018',
}

/** Ids of the rows of one seed, by which they refer to each other. */
function idsOf(seed: string) {
  return {
    project: `proj_${seed}`,
    apiKey: `key_${seed}`,
    person: `pers_${seed}`,
    gatewayConfiguration: `gway_conf_${seed}`,
    ruleSet: `rs_${seed}`,
    invoice: `iv_${seed}`,
    invoiceDetail: `iv_det_${seed}`,
    customer: `cust_${seed}`,
    token: `tok_${seed}`,
    card: `card_${seed}`,
    transaction: `tr_${seed}`,
    attempt: `tr_op_${seed}`,
    result: `tr_op_${seed}result`,
    refund: `refd_${seed}`,
    event: `ev_${seed}`,
    webhookEndpoint: `whe_${seed}`,
    delivery: `whd_${seed}`,
  }
}

const ENTITIES = new WeakMap<object, EntitySchema>()

/** The table of a row that was made here. */
export function entityOf(row: object): EntitySchema {
  const entity = ENTITIES.get(row)
  if (entity === undefined) throw new Error('The row was not made here.')
  return entity
}

/** What stands in a column of this type where a test does not care. */
const VALUES: Readonly<Record<string, unknown>> = {
  ...{ StringType: HOSTILE, TextType: HOSTILE, BooleanType: true, DateTimeType: AT },
}

/** What MikroORM knows of a column. */
interface Column {
  type: unknown
  nullable?: boolean
  /** Counted by the database. */
  generated?: unknown
  autoincrement?: boolean
}

/**
 * Makes the rows of one seed. A row has every column filled but those that the database counts, so that a new
 * column is as well: with what is given; where the
 * column names another row, with the id of that; otherwise with hostile text, a number that no other column of the row has,
 * true or an instant.
 *
 * @throws Error where an object is not given.
 */
export function rowsOf(seed: string) {
  const ids = idsOf(seed)
  const named: Readonly<Record<string, unknown>> = {
    projectId: ids.project,
    sandbox: true,
    apiKeyId: ids.apiKey,
    personId: ids.person,
    gatewayConfigurationId: ids.gatewayConfiguration,
    gatewayName: 'simulator',
    accountVersion: 2,
    ruleSetId: ids.ruleSet,
    invoiceId: ids.invoice,
    customerId: ids.customer,
    tokenId: ids.token,
    defaultTokenId: ids.token,
    cardId: ids.card,
    transactionId: ids.transaction,
    operationId: ids.attempt,
    refundId: ids.refund,
    eventId: ids.event,
    endpointId: ids.webhookEndpoint,
    deliveryId: ids.delivery,
    currency: 'EUR',
    defaultCurrency: 'EUR',
    metadata: { [HOSTILE]: HOSTILE },
  }
  const own: Readonly<Record<string, string>> = { ...ids, customerToken: ids.token }

  function filled<Row extends object>(entity: EntitySchema<Row>, given: Partial<NoInfer<Row>> = {}): Row {
    const { className: name, properties } = entity.meta
    const id = own[name.charAt(0).toLowerCase() + name.slice(1)]
    const row: Record<string, unknown> = { ...given }
    for (const [index, [column, { type, ...counted }]] of Object.entries<Column>(properties).entries()) {
      if (column in row || counted.generated !== undefined || counted.autoincrement === true) continue
      const { name: typeName } = type as { name: string }
      if (column === 'id' && id !== undefined) row.id = id
      else if (column in named) row[column] = named[column]
      else if (typeName in VALUES) row[column] = VALUES[typeName]
      else if (typeName === 'IntegerType' || typeName === 'BigIntType') row[column] = index + 2
      else throw new Error(`${name}.${column} needs a value.`)
    }
    ENTITIES.set(row, entity as EntitySchema)
    return row as Row
  }

  /** What is left of a row when everything that may be empty is, but for what is given. */
  function emptied<Row extends object>(entity: EntitySchema<Row>, given: Partial<NoInfer<Row>>): Row {
    const empty = Object.entries<Column>(entity.meta.properties).filter(([, { nullable }]) => nullable)
    return filled(entity, { ...Object.fromEntries(empty.map(([column]) => [column, null])), ...given } as Partial<Row>)
  }

  return { ids, filled, emptied }
}
