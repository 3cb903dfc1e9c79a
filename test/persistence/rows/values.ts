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
export function idsOf(seed: string) {
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

/** What stands in a column of this type where a test does not care. */
const VALUES: Readonly<Record<string, unknown>> = {
  ...{ StringType: HOSTILE, TextType: HOSTILE, BooleanType: true, DateTimeType: AT },
}

/**
 * A row with every column filled, so that a new column is as well: with what is given, otherwise with hostile text, true or an
 * instant.
 *
 * @throws Error where a number or an object is not given.
 */
export function filled<Row extends object>(entity: EntitySchema<Row>, given: Partial<NoInfer<Row>>): Row {
  const row: Record<string, unknown> = { ...given }
  for (const [name, { type }] of Object.entries<{ type: unknown }>(entity.meta.properties)) {
    if (name in row) continue
    const { name: typeName } = type as { name: string }
    if (!(typeName in VALUES)) throw new Error(`${entity.meta.className}.${name} needs a value.`)
    row[name] = VALUES[typeName]
  }
  return row as Row
}
