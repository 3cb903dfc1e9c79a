import { type BlockTarget, concerns, type FoundBlock, reaches } from '../../../../domain/merchant-advice.ts'
import type { NetworkLimits } from '../../../../domain/network-limits.ts'
import type { EntityManager } from '../../orm.ts'
import type { Reader } from '../../rows.ts'
import type { Scope } from '../scope.ts'

/** A payment with the values that blocks match by. */
export interface BlockedPayment extends Scope {
  cardFingerprint: string
  gatewayConfigurationId: string | null
  amountMinor: number
  currency: string
}

export interface NewBlock extends Scope {
  cardFingerprint: string
  /** Null for all gateways. A null amount stands for all amounts. */
  gatewayConfigurationId: string | null
  amount: { minor: number; currency: string } | null
  code: string
  network: 'mastercard' | 'visa'
  sourceOperationId: string
  expiresAt: Date
}

/** Sets a block, or extends the existing one; it never shortens one. An expired block starts anew. */
export async function setBlock(reader: Reader, block: NewBlock, now: Date): Promise<void> {
  const { projectId, sandbox, cardFingerprint, gatewayConfigurationId, amount, ...advice } = block
  await reader.execute(
    `insert into advice_block (project_id, sandbox, card_fingerprint, gateway_configuration_id, amount_minor, currency,
       code, network, source_operation_id, created_at, extended_at, expires_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (project_id, sandbox, card_fingerprint, gateway_configuration_id, amount_minor, currency) do update set
       code = case when excluded.expires_at >= advice_block.expires_at then excluded.code else advice_block.code end,
       source_operation_id = case when excluded.expires_at >= advice_block.expires_at
         then excluded.source_operation_id else advice_block.source_operation_id end,
       created_at = case when advice_block.expires_at <= excluded.extended_at
         then excluded.created_at else advice_block.created_at end,
       extended_at = greatest(excluded.extended_at, advice_block.extended_at),
       expires_at = greatest(excluded.expires_at, advice_block.expires_at)`,
    [
      ...[projectId, sandbox, cardFingerprint, gatewayConfigurationId, amount?.minor ?? null, amount?.currency ?? null],
      ...[advice.code, advice.network, advice.sourceOperationId, now, now, advice.expiresAt],
    ],
  )
}

/**
 * Lifts the blocks that an approval disproves: those that would have stopped the payment.
 *
 * @param sentAt when the approved payment was sent; a block by a later decline stays.
 */
export async function liftBlocks(
  reader: Reader,
  payment: BlockedPayment,
  { sentAt, isMerchantInitiated }: { sentAt: Date; isMerchantInitiated: boolean },
): Promise<void> {
  const card = [payment.projectId, payment.sandbox, payment.cardFingerprint]
  const [found] = await reader.execute<{ blocks: CardBlock[] }[]>(
    "select blocks_of_card(?, ?, ?, '-infinity') as blocks",
    card,
  )
  for (const block of found?.blocks ?? []) {
    if (!reaches(block, payment) || !concerns(block, isMerchantInitiated)) continue
    await reader.execute(
      `delete from advice_block where project_id = ? and sandbox = ? and card_fingerprint = ?
          and (gateway_configuration_id, amount_minor, currency) is not distinct from (?, ?, ?)
          and extended_at <= ?`,
      [...card, block.gatewayConfigurationId, block.amountMinor, block.currency, sentAt],
    )
  }
}

/** How a project treats advice, and how many declines the networks allow it. */
export interface AdviceOptions extends NetworkLimits {
  blocksStoppedPayments: boolean
  enforcesRetryAfter: boolean
  enforcesNetworkLimits: boolean
}

/** A block with its target. */
export interface CardBlock extends FoundBlock, BlockTarget {}

/** How a project treats advice, and the active blocks of the card. */
export interface CardAdvice {
  options: AdviceOptions
  blocks: CardBlock[]
}

/** Reads the advice options and the blocks of a card in one statement. */
export async function findAdvice(
  em: EntityManager,
  { projectId, sandbox, cardFingerprint }: Pick<BlockedPayment, 'projectId' | 'sandbox' | 'cardFingerprint'>,
  now: Date,
): Promise<CardAdvice> {
  const [found] = await em.execute<CardAdvice[]>(
    'select advice_options(project) as options, blocks_of_card(?, ?, ?, ?) as blocks from project where id = ?',
    [projectId, sandbox, cardFingerprint, now, projectId],
  )
  if (found === undefined) throw new Error('A payment belongs to a project.')
  return found
}
