import type { EntityName } from '@mikro-orm/postgresql'
import { CardEntity, type CardRow } from '../../entities/card.ts'
import { CardSecurityCodeEntity, type CardSecurityCodeRow } from '../../entities/card-security-code.ts'
import { GatewayConfigurationEntity, type GatewayConfigurationRow } from '../../entities/gateway-configuration.ts'
import { InvoiceEntity, type InvoiceRow } from '../../entities/invoice.ts'
import { OperationEntity, type OperationRow } from '../../entities/operation.ts'
import { TransactionEntity, type TransactionRow } from '../../entities/transaction.ts'
import type { EntityManager } from '../../orm.ts'
import { ADVICE_OPTIONS, type CardAdvice, cardBlocks } from '../advice/mac-blocks.ts'
import { type JsonRow, rowFromJson } from '../json-rows.ts'
import type { Scope } from '../scope.ts'
import type { Hindrances } from './find-hindrances.ts'

/** Which payment is opened, and what for. */
export interface Opening extends Scope {
  invoiceId: string
  /** Those of the command, any of which may have been withdrawn. */
  operationIds: readonly string[]
  /** The attempt that ends here, to whose card its outcome belongs. */
  attemptId: string | null
  /** Of an authorization that begins: what chooses its gateway is read too, and the card is held if one is named. */
  authorization: { cardId: string | null; now: Date } | null
}

/** A payment under its lock, with everything that a step of it decides by. Its rows belong to the unit of work. */
export interface OpenedPayment {
  invoice: InvoiceRow
  transaction: TransactionRow | null
  /** In the order in which they were written. */
  operations: OperationRow[]
  hindrances: Hindrances
  acceptsPartialApprovals: boolean
  /** That of the transaction; of an authorization that begins all of the project, the oldest first. */
  gatewayConfigurations: GatewayConfigurationRow[]
  /** Of an authorization that begins. */
  routing: { activeRuleSetId: string | null; source: OpenedSource | null } | null
}

/** A card that an authorization names, with what is known about it. It is held until the database transaction ends. */
export interface OpenedSource {
  card: CardRow
  /** Null where none was given, or where it has ended. */
  securityCode: CardSecurityCodeRow | null
  advice: CardAdvice
}

/**
 * Takes the payment for this database transaction and reads it: two statements, because only one that begins when the lock is
 * held sees what its last holder has written. Null where the project has no such invoice in this environment.
 */
export async function openPayment(em: EntityManager, opening: Opening): Promise<OpenedPayment | null> {
  const { projectId, sandbox, invoiceId } = opening
  const [locked] = await em.execute<JsonRow[]>(
    'select * from invoice where project_id = ? and sandbox = ? and id = ? for update',
    [projectId, sandbox, invoiceId],
  )
  if (locked === undefined) return null
  const [found] = await em.execute<Found[]>(...readingOf(opening))
  if (found === undefined) throw new Error('An invoice belongs to a project.')
  const row = <Row extends object>(entity: EntityName<Row>, json: JsonRow) => rowFromJson(em, entity, json)
  const cards = found.cards.map((card) => row(CardEntity, card))
  const { cardId } = opening.authorization ?? { cardId: null }
  const card = cards.find(({ id }) => id === cardId)
  return {
    invoice: em.map(InvoiceEntity, locked as never),
    transaction: found.transaction === null ? null : row(TransactionEntity, found.transaction),
    operations: found.operations.map((operation) => row(OperationEntity, operation)),
    hindrances: { isSuspended: found.is_suspended, isWithdrawn: found.is_withdrawn },
    acceptsPartialApprovals: found.accepts_partial_approvals,
    gatewayConfigurations: found.gateway_configurations.map((given) => row(GatewayConfigurationEntity, given)),
    routing:
      opening.authorization === null
        ? null
        : {
            activeRuleSetId: found.rule_set_id,
            source:
              card === undefined
                ? null
                : {
                    card,
                    securityCode:
                      found.security_code === null ? null : row(CardSecurityCodeEntity, found.security_code),
                    advice: { options: found.options, blocks: found.blocks },
                  },
          },
  }
}

interface Found extends CardAdvice {
  transaction: JsonRow | null
  operations: JsonRow[]
  cards: JsonRow[]
  gateway_configurations: JsonRow[]
  is_suspended: boolean
  is_withdrawn: boolean
  accepts_partial_approvals: boolean
  rule_set_id: string | null
  security_code: JsonRow | null
}

/** One row of everything, as JSON: columns of several tables side by side would take each other's names. */
function readingOf(opening: Opening): [sql: string, parameters: unknown[]] {
  const { projectId, sandbox, invoiceId, operationIds, attemptId, authorization } = opening
  const scope = [projectId, sandbox]
  const more = authorization === null ? null : readingOfRoute(scope, authorization)
  return [
    `select
       to_jsonb(transaction) as transaction,
       (select coalesce(jsonb_agg(to_jsonb(operation) order by operation.position), '[]') from operation
         where operation.transaction_id = transaction.id) as operations,
       project.suspended_at is not null as is_suspended,
       exists (select from withdrawn_command where operation_id = any (array[?]::text[])) as is_withdrawn,
       project.accepts_partial_approvals
       ${more === null ? `, ${CARDS_OF_PAYMENT}, ${CONFIGURATION_OF_PAYMENT}` : more.sql}
     from project
     left join transaction
       on transaction.project_id = project.id and transaction.sandbox = ? and transaction.invoice_id = ?
     where project.id = ?`,
    [[...operationIds], ...(more === null ? [attemptId] : more.parameters), sandbox, invoiceId, projectId],
  ]
}

/** Those that follow what the payment has behind it: the card of the attempt, and that of the payment now. */
const CARDS_OF_PAYMENT = `(select coalesce(jsonb_agg(to_jsonb(card)), '[]') from card
   where card.project_id = transaction.project_id and card.sandbox = transaction.sandbox
     and card.id = any (array[transaction.card_id, (select card_id from operation where id = ?)])) as cards`
const CONFIGURATION_OF_PAYMENT = `(select coalesce(jsonb_agg(to_jsonb(gateway_configuration)), '[]')
   from gateway_configuration where gateway_configuration.project_id = transaction.project_id
     and gateway_configuration.sandbox = transaction.sandbox
     and gateway_configuration.id = transaction.gateway_configuration_id) as gateway_configurations`

/** What an authorization chooses its gateway by. Its card is held, so that it stays unused until this payment has it. */
function readingOfRoute(
  scope: readonly unknown[],
  { cardId, now }: NonNullable<Opening['authorization']>,
): { sql: string; parameters: unknown[] } {
  const ofCard = [...scope, cardId]
  return {
    sql: `,
       (select coalesce(jsonb_agg(to_jsonb(held)), '[]') from (
         select * from card where project_id = ? and sandbox = ? and id = ? for no key update) as held) as cards,
       (select coalesce(jsonb_agg(to_jsonb(gateway_configuration) order by created_at, id), '[]')
         from gateway_configuration where project_id = ? and sandbox = ?) as gateway_configurations,
       (select rule_set_id from active_rule_set where project_id = ? and sandbox = ?) as rule_set_id,
       (select to_jsonb(card_security_code) from card_security_code
         where project_id = ? and sandbox = ? and card_id = ? and expires_at > ?) as security_code,
       ${ADVICE_OPTIONS} as options,
       (${cardBlocks('(select fingerprint from card where project_id = ? and sandbox = ? and id = ?)')}) as blocks`,
    parameters: [...ofCard, ...scope, ...scope, ...ofCard, now, ...scope, ...ofCard, now],
  }
}
