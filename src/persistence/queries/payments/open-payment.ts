import type { EntityName } from '@mikro-orm/postgresql'
import type { CommandBlocks } from '../../../../domain/block-reason.ts'
import { CardEntity, type CardRow } from '../../entities/card.ts'
import { CardSecurityCodeEntity, type CardSecurityCodeRow } from '../../entities/card-security-code.ts'
import { GatewayConfigurationEntity, type GatewayConfigurationRow } from '../../entities/gateway-configuration.ts'
import { InvoiceEntity } from '../../entities/invoice.ts'
import { OperationEntity, type OperationRow } from '../../entities/operation.ts'
import { TransactionEntity } from '../../entities/transaction.ts'
import { type JsonRow, plainRows, type Reader, rowIn } from '../../rows.ts'
import type { CardAdvice } from '../advice/advice-blocks.ts'
import type { Scope } from '../scope.ts'
import type { FoundPayment } from './find-payment.ts'

/** Which payment to open, and for which step. */
export interface Opening extends Scope {
  invoiceId: string
  /** The operations of the command, any of which may have been withdrawn. */
  operationIds?: readonly string[]
  /** The attempt whose outcome this step records; its card is read. */
  attemptId?: string | null
  /** Of a new authorization: reads the rows that choose its gateway, and locks the named card. */
  authorization?: { cardId: string | null; now: Date } | null
}

/**
 * A locked payment with everything that a step decides by. A unit may change the transaction and the cards; all other rows
 * are read-only.
 */
export interface OpenedPayment extends FoundPayment {
  /** In the order in which they were written. */
  operations: OperationRow[]
  blocks: CommandBlocks
  acceptsPartialApprovals: boolean
  /** Those of the project, the oldest first, for a new authorization; otherwise that of the transaction. */
  gatewayConfigurations: GatewayConfigurationRow[]
  /** The active version of the routing rules; null without one. */
  activeRuleSetId: string | null
  /** The card that an authorization names, if it names one. */
  source: OpenedSource | null
}

/** The card that an authorization names, with its advice. It stays locked until the database transaction ends. */
export interface OpenedSource {
  card: CardRow
  /** Null where the merchant gave none, or where it has expired. */
  securityCode: CardSecurityCodeRow | null
  advice: CardAdvice
}

/**
 * Locks the payment for this database transaction and reads it, in one statement: a step in its unit, and whoever changes
 * the invoice or keeps an answer. The invoice row is the lock, since it exists before the transaction row. Null where the
 * project has no such invoice in this environment. Source: the function `open_payment`.
 */
export async function openPayment(reader: Reader, opening: Opening): Promise<OpenedPayment | null> {
  const { projectId, sandbox, invoiceId, operationIds = [], attemptId = null, authorization = null } = opening
  const cardId = authorization?.cardId ?? null
  const now = authorization?.now ?? null
  const [answer] = await reader.execute<{ opened: Found | null }[]>(
    // As text, since MikroORM takes no list for a value.
    "select open_payment(?, ?, ?, string_to_array(?, ' '), ?, ?, ?, ?) as opened",
    [projectId, sandbox, invoiceId, operationIds.join(' '), attemptId, authorization !== null, cardId, now],
  )
  if (answer?.opened == null) return null
  const { opened } = answer
  const read = <Row extends object>(entity: EntityName<Row>, json: readonly JsonRow[] | null) =>
    json === null ? [] : json.map(plainRows(reader, entity))
  const cards = (opened.cards ?? []).map((card) => rowIn(reader, CardEntity, card))
  const card = cards.find(({ id }) => id === cardId)
  const { options, blocks, security_code: code } = opened
  const securityCode = code === null ? null : plainRows(reader, CardSecurityCodeEntity)(code)
  return {
    invoice: plainRows(reader, InvoiceEntity)(opened.invoice),
    transaction: opened.transaction === null ? null : rowIn(reader, TransactionEntity, opened.transaction),
    operations: read(OperationEntity, opened.operations),
    blocks: { isSuspended: opened.is_suspended, isWithdrawn: opened.is_withdrawn },
    acceptsPartialApprovals: opened.accepts_partial_approvals,
    gatewayConfigurations: read(GatewayConfigurationEntity, opened.gateway_configurations),
    activeRuleSetId: opened.rule_set_id,
    source: card === undefined ? null : { card, securityCode, advice: { options, blocks } },
  }
}

/** The JSON of `open_payment`, rows by their columns. */
interface Found extends CardAdvice {
  invoice: JsonRow
  transaction: JsonRow | null
  operations: JsonRow[] | null
  cards: JsonRow[] | null
  security_code: JsonRow | null
  gateway_configurations: JsonRow[] | null
  rule_set_id: string | null
  is_suspended: boolean
  is_withdrawn: boolean
  accepts_partial_approvals: boolean
}
