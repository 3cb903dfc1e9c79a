import type { EntityManager } from '../../orm.ts'

/** An encrypted text of a row: its owner, its bytes, and the id of its key. */
export interface EncryptedRow {
  id: string
  ownerId: string
  /** In base64, as the database writes it. */
  ciphertext: string
  keyId: string
}

/** The places of encrypted texts of one kind. */
export interface EncryptedRows {
  what: string
  /** The kind of their encryption; see `EncryptionContext` of the vault. */
  kind:
    | 'card number'
    | 'security code'
    | 'external authentication'
    | 'webhook secret'
    | 'gateway credentials'
    | 'code generator'
  /** The number of texts under each key. */
  countByKey(em: EntityManager): Promise<ReadonlyMap<string, number>>
  /**
   * Locks and reads rows encrypted with a key, ordered by id, after a given one. The locks last until the caller's database
   * transaction ends. Rows locked by another transaction are left out, so this never waits.
   */
  lock(em: EntityManager, keyId: string, page: { after: string; limit: number }): Promise<EncryptedRow[]>
  /** Replaces texts, where they have not changed meanwhile. */
  replace(em: EntityManager, pairs: readonly { from: EncryptedRow; to: EncryptedRow }[]): Promise<void>
}

interface EncryptedColumns extends Pick<EncryptedRows, 'what' | 'kind'> {
  table: string
  /** What the names of the columns `ciphertext` and `key_id` begin with; nothing by default. */
  prefix?: string
  /** The key of the table; `id` by default. */
  id?: string
  /** The column with the owner's id; the key by default. */
  ownerId?: string
}

/** All encrypted texts of the database. A text missing from this list is lost when its key is removed. */
export const ENCRYPTED: readonly EncryptedRows[] = [
  inColumns({ what: 'card numbers', kind: 'card number', table: 'card', prefix: 'number_' }),
  inColumns({ what: 'security codes', kind: 'security code', table: 'card_security_code', id: 'card_id' }),
  inColumns({
    what: 'external authentications',
    kind: 'external authentication',
    table: 'external_authentication',
    id: 'operation_id',
  }),
  inColumns({ what: 'webhook secrets', kind: 'webhook secret', table: 'webhook_secret', ownerId: 'endpoint_id' }),
  inColumns({
    what: 'gateway credentials',
    kind: 'gateway credentials',
    table: 'gateway_configuration',
    prefix: 'credentials_',
  }),
  inColumns({ what: 'secrets of authenticator apps', kind: 'code generator', table: 'person', prefix: 'totp_' }),
  inKeptAnswers(),
]

/** Re-encryption does not change the row's dates: its meaning is the same. */
function inColumns({ what, kind, table, prefix = '', id = 'id', ownerId = id }: EncryptedColumns): EncryptedRows {
  const [ciphertext, keyId] = [`${prefix}ciphertext`, `${prefix}key_id`]
  return {
    what,
    kind,
    countByKey: (em) =>
      counted(
        em,
        `select ${keyId} as "keyId", count(*)::integer as count from ${table}
                    where ${ciphertext} is not null group by ${keyId}`,
      ),
    lock: (em, key, { after, limit }) =>
      em.execute<EncryptedRow[]>(
        `select ${id} as id, ${ownerId} as "ownerId", encode(${ciphertext}, 'base64') as ciphertext, ${keyId} as "keyId"
           from ${table} where ${keyId} = ? and ${ciphertext} is not null and ${id} > ?
          order by ${id} limit ? for no key update skip locked`,
        [key, after, limit],
      ),
    async replace(em, pairs) {
      await em.execute(
        `update ${table} set ${ciphertext} = decode(pair."to", 'base64'), ${keyId} = pair."toKey"
           from ${PAIRS} where ${table}.${id} = pair.id and ${keyId} = pair."fromKey"
            and ${ciphertext} = decode(pair."from", 'base64')`,
        [asJson(pairs)],
      )
    },
  }
}

/** Matches an encrypted secret in the JSON text of an answer; see keptSecret. Quotes in other values are escaped. */
const KEPT = `'"secret":\\["([A-Za-z0-9+/=]+)","[A-Za-z0-9_-]{1,32}"\\]'`
const KEPT_KEY = `'"secret":\\["[A-Za-z0-9+/=]+","([A-Za-z0-9_-]{1,32})"\\]'`
const HAS_KEPT = `body like '%"secret":["%'`

/** Kept answers with the secret of an endpoint, for merchants who repeat the request. The other bytes stay. */
function inKeptAnswers(): EncryptedRows {
  return {
    what: 'kept answers',
    kind: 'webhook secret',
    countByKey: (em) =>
      counted(
        em,
        `select substring(body from ${KEPT_KEY}) as "keyId", count(*)::integer as count from idempotency_key
          where ${HAS_KEPT} group by 1`,
      ),
    lock: (em, key, { after, limit }) =>
      em.execute<EncryptedRow[]>(
        `select id, body::jsonb #>> '{webhook_endpoint,id}' as "ownerId", substring(body from ${KEPT}) as ciphertext,
                substring(body from ${KEPT_KEY}) as "keyId"
           from idempotency_key
          where ${HAS_KEPT} and substring(body from ${KEPT_KEY}) = ? and id > ?
          order by id limit ? for no key update skip locked`,
        [key, after, limit],
      ),
    async replace(em, pairs) {
      const secret = (side: 'from' | 'to') => `'["' || pair."${side}" || '","' || pair."${side}Key" || '"]'`
      await em.execute(
        `update idempotency_key set body = replace(body, ${secret('from')}, ${secret('to')})
           from ${PAIRS} where idempotency_key.id = pair.id and strpos(body, ${secret('from')}) > 0`,
        [asJson(pairs)],
      )
    },
  }
}

const PAIRS = `jsonb_to_recordset(?::jsonb) as pair (id text, "from" text, "fromKey" text, "to" text, "toKey" text)`

function asJson(pairs: readonly { from: EncryptedRow; to: EncryptedRow }[]): string {
  return JSON.stringify(
    pairs.map(({ from, to }) => {
      return { id: from.id, from: from.ciphertext, fromKey: from.keyId, to: to.ciphertext, toKey: to.keyId }
    }),
  )
}

async function counted(em: EntityManager, statement: string): Promise<ReadonlyMap<string, number>> {
  const rows = await em.execute<{ keyId: string | null; count: number }[]>(statement)
  return new Map(rows.flatMap(({ keyId, count }) => (keyId === null ? [] : [[keyId, count] as const])))
}
