import type { Author, IdempotencyClaim, PayCommand, PaymentCall } from '../../../domain/command.ts'
import type { Continuation } from '../../../domain/customer-action.ts'
import { makeIdentifier, type RandomBytes } from '../../../domain/identifiers.ts'
import type { Caller } from '../../http/context.ts'
import type { AppDeps } from '../../http/dependencies.ts'
import type { PaymentOptions } from './payment-options.ts'

/**
 * How late a command may still begin: twice the 30 s for which its caller waits. Later the merchant no longer expects the
 * money to move.
 */
const COMMAND_VALIDITY_MS = 60_000

/** The fields of every command of a merchant or a client. */
export function commandBase(
  { clock, randomBytes }: Pick<AppDeps, 'clock' | 'randomBytes'>,
  { actor, personId }: Author,
  idempotency: IdempotencyClaim | null = null,
) {
  return {
    idempotency,
    operationId: makeIdentifier('operation', randomBytes),
    actor,
    ...(personId !== undefined && { personId }),
    deadline: clock.now().getTime() + COMMAND_VALIDITY_MS,
  }
}

export type CommandBase = ReturnType<typeof commandBase>

/** A call with what its command says beside its options. */
interface Called {
  base: CommandBase
  call: PaymentCall
  caller: Pick<Caller, 'kind' | 'allowsClientCaptures' | 'allowsClientAmounts'>
  currency: string
  /** The answer to an action of the customer; null for every other request. */
  continues: Continuation | null
  /** The payment's time, at the call or a moment later, in epoch ms. */
  at: number
}

/** The command of a call of `authorize`, `capture` or `three-d-s`: its options in the caller's words. */
export function payCommand(
  options: PaymentOptions,
  { base, call, caller, currency, continues, at }: Called,
  randomBytes: RandomBytes,
): PayCommand {
  const { amountMinor, detailIds } = options.selection
  const client = { mayCapture: caller.allowsClientCaptures, mayChooseAmounts: caller.allowsClientAmounts }
  return {
    ...base,
    deadline: deadlineOf(base, options.autoCaptureAt, at),
    kind: 'pay',
    call,
    captureOperationId: makeIdentifier('operation', randomBytes),
    ...(caller.kind === 'client' && (client.mayCapture || client.mayChooseAmounts) && { client }),
    currency,
    source: options.source,
    ...(continues !== null && { continues }),
    authorizeOnly: options.authorizeOnly ?? null,
    autoCaptureAt: options.autoCaptureAt?.getTime() ?? null,
    ...(options.cancelsAutoCapture && { cancelsAutoCapture: true as const }),
    amountMinor,
    detailIds,
    captureType: options.captureType,
    incremental: options.incremental ?? null,
    preferredScheme: options.preferredScheme,
    initialSchemeTransactionId: options.initialSchemeTransactionId,
    mayFallBackToSale: options.mayFallBackToSale,
    saveSource: options.saveSource,
    ...(options.handlesActions && { handlesActions: true as const }),
    ...(options.externalAuthentication !== null && { hasExternalAuthentication: true as const }),
    ...(options.overrideMacBlocking && { overrideMacBlocking: true as const }),
    ...(options.newSourceOnly && { newSourceOnly: true as const }),
  }
}

/**
 * Once `auto_capture_at` has passed, the same call sent again with its key is refused. So the first one must not begin after
 * that either: its merchant was told that no money moves.
 */
function deadlineOf({ deadline }: CommandBase, autoCaptureAt: Date | null, at: number): number {
  const aheadMs = (autoCaptureAt?.getTime() ?? Number.POSITIVE_INFINITY) - at
  // One that has passed already was read while the customer authenticates, and is not refused.
  return aheadMs > 0 ? deadline - COMMAND_VALIDITY_MS + Math.min(COMMAND_VALIDITY_MS, aheadMs) : deadline
}
