import type { NotificationRequestItem } from '@adyen/api-library/lib/src/typings/notification/notificationRequestItem.js'
import hmac from '@adyen/api-library/lib/src/utils/hmacValidator.js'
import type { GatewayNotification, NotificationRefusal } from '../../../domain/gateway-notification.ts'
import type { GatewayOperationType, Outcome } from '../../../domain/operation.ts'
import type { GatewayAccess, NotificationReading } from '../gateway.ts'
import { HMAC_KEY } from './account.ts'
import { DISPUTES, FAILED_CAPTURE, FAILED_REFUNDS, OUTCOME_EVENTS } from './notification-events.ts'
import { amountOf, approvalOf, fieldsOf, refusalOf, textOf } from './outcomes.ts'
import { codeOfReason } from './refusal-codes.ts'
import { readReferenceWithAmount } from './requests.ts'

/** What an item says, its shape proven; the signature covers all of it but `reason` and `additionalData`. */
interface Item {
  eventCode: string
  isSuccess: boolean
  pspReference: string
  /** The payment that a later step or a dispute is about. */
  originalReference: string | null
  merchantAccountCode: string
  merchantReference: string
  amount: { value: number; currency: string }
  reason: string | null
  additionalData: Readonly<Record<string, unknown>>
}

/**
 * Events that tell a step of a dispute again, by the event that they repeat: a chargeback is announced days before its money
 * is taken, and either word may be the first. All events of a dispute have one pspReference. Source: Adyen, "Dispute
 * process and flow".
 */
const REPEATED_STEPS: ReadonlyMap<string, string> = new Map([
  ['NOTIFICATION_OF_CHARGEBACK', 'CHARGEBACK'],
  ['PREARBITRATION_LOST', 'SECOND_CHARGEBACK'],
])

/** Documents were uploaded, and are not handed in yet. Source: Adyen, "Dispute webhooks". */
const UNANSWERED: ReadonlySet<string> = new Set(['undefended', 'unresponded'])

/** The longest word of theirs that is kept. */
const WORD_LENGTH = 200

/**
 * Proves and reads a standard webhook: a batch of items, each with a signature of its own. One that is wrong condemns
 * the batch, because whoever sent it is not Adyen. Source: Adyen, "Verify HMAC signatures" and "Webhook types".
 */
export function readNotification(
  rawBody: Uint8Array,
  { credentials, settings }: Pick<GatewayAccess, 'credentials' | 'settings'>,
): NotificationReading {
  const keys = [credentials.hmacKey, credentials.previousHmacKey].filter(
    (key) => key !== undefined && HMAC_KEY.test(key),
  )
  if (keys.length === 0) return refused('no-secret')
  const rawItems = readBatch(rawBody)
  if (rawItems === null) return refused('unreadable')
  const items: Item[] = []
  for (const rawItem of rawItems) {
    const item = readItem(rawItem)
    if (item === null) return refused('unreadable')
    if (!keys.some((key) => isSigned(rawItem, key as string))) return refused('unproven')
    items.push(item)
  }
  return {
    kind: 'accepted',
    notifications: items
      .filter((item) => item.merchantAccountCode === settings.merchantAccount && isUnambiguous(item))
      .flatMap(notificationsOf),
  }
}

function readBatch(rawBody: Uint8Array): unknown[] | null {
  try {
    const { notificationItems } = fieldsOf(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(rawBody)))
    if (!Array.isArray(notificationItems) || notificationItems.length === 0) return null
    return notificationItems.map((item) => fieldsOf(item).NotificationRequestItem)
  } catch {
    return null
  }
}

function readItem(rawItem: unknown): Item | null {
  const fields = fieldsOf(rawItem)
  const { eventCode, success, originalReference, merchantReference } = fields
  const { value, currency } = fieldsOf(fields.amount)
  const pspReference = textOf(fields.pspReference)
  const merchantAccountCode = textOf(fields.merchantAccountCode)
  if (typeof eventCode !== 'string' || !/^[A-Z_]+$/.test(eventCode)) return null
  if (success !== 'true' && success !== 'false') return null
  if (pspReference === null || merchantAccountCode === null) return null
  if (!Number.isSafeInteger(value) || typeof currency !== 'string') return null
  return {
    eventCode,
    isSuccess: success === 'true',
    pspReference,
    originalReference: textOf(originalReference),
    merchantAccountCode,
    merchantReference: textOf(merchantReference) ?? '',
    amount: { value: value as number, currency },
    reason: textOf(fields.reason)?.slice(0, WORD_LENGTH) ?? null,
    additionalData: fieldsOf(fields.additionalData),
  }
}

/** The comparison takes the same time for every signature of the right length: the library sees to it. */
function isSigned(rawItem: unknown, key: string): boolean {
  try {
    return new hmac.default().validateHMAC(rawItem as NotificationRequestItem, key)
  } catch {
    return false
  }
}

/**
 * The signature is over the fields joined by colons, so that one inside a field can be moved to the next field unseen.
 * Nothing of ours has any; what has one is about something else in the same account.
 */
function isUnambiguous({ pspReference, originalReference, merchantAccountCode, merchantReference, amount }: Item) {
  return ![pspReference, originalReference ?? '', merchantAccountCode, merchantReference, amount.currency].some(
    (field) => field.includes(':'),
  )
}

function notificationsOf(item: Item): GatewayNotification[] {
  const { eventCode, isSuccess, pspReference } = item
  const type = OUTCOME_EVENTS.get(eventCode)
  if (type === 'increment_authorization' || type === 'void') return outcomeByReference(item, type)
  if (type !== undefined) {
    const outcome = isSuccess ? approvalIn(item, type) : declineOf(item, type)
    return outcomeNotifications(item, type, outcome, item.merchantReference)
  }
  if (!isSuccess) return []
  if (eventCode === FAILED_CAPTURE) {
    const outcome = declineOf(item, 'capture')
    return outcomeNotifications(item, 'capture', outcome, item.merchantReference)
  }
  const kind = FAILED_REFUNDS.has(eventCode) ? 'refund-failed' : DISPUTES.get(eventCode)
  const amount = amountOf(item.amount)
  if (kind === undefined || amount === null) return []
  if (kind === 'dispute-answered' && UNANSWERED.has(statusOf(item))) return []
  return [
    {
      gatewayNotificationId: notificationIdOf(item),
      gatewayAuthorizationId: item.originalReference ?? pspReference,
      invoiceId: null,
      kind,
      ...(kind !== 'refund-failed' && { disputeId: pspReference }),
      reference: kind === 'refund-failed' ? item.merchantReference : null,
      ...amount,
      reason: item.reason,
      ...(kind !== 'refund-failed' && evidenceDueAt(item)),
    },
  ]
}

/** How the dispute stands, where Adyen says so: for Brazil it does not. */
const statusOf = ({ additionalData }: Item): string => textOf(additionalData.disputeStatus)?.toLowerCase() ?? ''

/** Until when Adyen takes a defense: an instant of ISO 8601. */
function evidenceDueAt({ additionalData }: Item): { evidenceDueAt?: number } {
  const at = Date.parse(textOf(additionalData.defensePeriodEndsAt) ?? '')
  return at > 0 ? { evidenceDueAt: at } : {}
}

/** None for a later step that does not name its payment: nothing of ours lacks it. */
function outcomeNotifications(
  item: Item,
  type: GatewayOperationType,
  outcome: Outcome,
  reference: string,
): GatewayNotification[] {
  const gatewayAuthorizationId = type === 'authorization' ? item.pspReference : item.originalReference
  if (gatewayAuthorizationId === null) return []
  return [
    {
      kind: 'outcome',
      gatewayNotificationId: notificationIdOf(item),
      type,
      reference,
      gatewayAuthorizationId,
      outcome,
    },
  ]
}

/**
 * Adyen sends an item again with the same three. An inquiry that becomes a chargeback is answered once more, as another status
 * tells. Source: Adyen, "Webhooks: handle duplicates".
 */
function notificationIdOf(item: Item): string {
  const { eventCode, pspReference, isSuccess } = item
  const id = `${REPEATED_STEPS.get(eventCode) ?? eventCode}:${pspReference}:${isSuccess}`
  return DISPUTES.get(eventCode) === 'dispute-answered' ? `${id}:${statusOf(item).slice(0, WORD_LENGTH)}` : id
}

/**
 * An adjustment tells the new total alone, and a cancellation the amount of the payment, whatever is left of it. The amount of
 * the step stands in our own reference for it, which the signature covers.
 */
function outcomeByReference(item: Item, type: 'increment_authorization' | 'void'): GatewayNotification[] {
  const asked = readReferenceWithAmount(item.merchantReference)
  if (asked === null) return []
  const { reference, amountMinor } = asked
  const approval = approvalIn(item, type)
  const outcome: Outcome = !item.isSuccess
    ? declineOf(item, type)
    : approval.kind === 'approved'
      ? { kind: 'approved', gatewayOperationId: item.pspReference, amountMinor, currency: approval.currency }
      : approval
  return outcomeNotifications(item, type, outcome, reference)
}

/** What comes along with a later step is about its authorization, whose amount is not that of the step. */
function approvalIn({ pspReference, amount, additionalData }: Item, type: GatewayOperationType): Outcome {
  return approvalOf({ pspReference, amount, ...(type === 'authorization' && { additionalData }) })
}

/** Of a later step Adyen tells the reason as a sentence alone, which is kept for support. */
function declineOf({ reason, additionalData }: Item, type: GatewayOperationType): Outcome {
  const known = codeOfReason(reason)
  if (type === 'authorization')
    return {
      kind: 'declined',
      ...refusalOf({ additionalData, refusalReasonCode: known ?? undefined }, reason ?? 'refused'),
    }
  return { kind: 'declined', code: 'gateway.declined', gatewayCode: reason ?? 'failed' }
}

function refused(reason: NotificationRefusal): NotificationReading {
  return { kind: 'refused', reason }
}
