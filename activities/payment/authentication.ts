import type { AuthenticationRequest, ExternalAuthentication } from '../../domain/authentication.ts'
import type { CustomerAction, CustomerAnswer, DeviceData } from '../../domain/customer-action.ts'
import { returnAddress } from '../../domain/customer-action.ts'
import type { Outcome } from '../../domain/operation.ts'
import type { Gateway } from '../../src/gateways/gateway.ts'
import { CommandNoteEntity } from '../../src/persistence/entities/command-note.ts'
import { ExternalAuthenticationEntity } from '../../src/persistence/entities/external-authentication.ts'
import type { OperationRow } from '../../src/persistence/entities/operation.ts'
import { findRow } from '../../src/persistence/rows.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import type { Attempt, OpenedAttempt, StepInput } from './attempt.ts'

/** Whether a customer is there who can act, and browsers can reach this service. */
export function canCustomerAct(
  { publicUrl }: Pick<PaymentActivityDeps, 'publicUrl'>,
  { wantedAuthentication }: Pick<OperationRow, 'wantedAuthentication'>,
): boolean {
  return publicUrl() !== null && wantedAuthentication?.isAttended === true
}

/** What the gateway is told about the authentication of an authorization. */
export async function authenticationOf(
  deps: PaymentActivityDeps,
  { invoice, operation }: Pick<Attempt, 'invoice' | 'operation'>,
  gateway: Gateway,
): Promise<AuthenticationRequest> {
  const publicUrl = deps.publicUrl()
  const isPossible = gateway.continueAuthorization !== undefined && canCustomerAct(deps, operation)
  const wanted = operation.wantedAuthentication
  return {
    isPossible,
    isRequired: wanted?.isRequired === true,
    challengeIndicator: wanted?.challengeIndicator ?? null,
    exemption: wanted?.exemption ?? null,
    channel: invoice.deviceChannel as AuthenticationRequest['channel'],
    returnUrl: isPossible && publicUrl !== null ? returnAddress(publicUrl, invoice.id, operation.id) : null,
    external: await findExternal(deps, operation),
  }
}

/** The merchant's own authentication for an authorization, also where it has fallen back to another gateway. */
async function findExternal(
  { orm, vault, clock }: PaymentActivityDeps,
  { id, fallbackOf, wantedAuthentication }: OperationRow,
): Promise<ExternalAuthentication | null> {
  if (wantedAuthentication?.isExternal !== true) return null
  const operationId = fallbackOf ?? id
  const row = await findRow(orm.em.fork(), ExternalAuthenticationEntity, { operationId })
  if (row === null || row.expiresAt <= clock.now()) return null
  return JSON.parse(vault.decryptExternalAuthentication(operationId, row)) as ExternalAuthentication
}

const CANCELED: Outcome = { kind: 'declined', code: 'customer.cancelled', gatewayCode: 'CANCELED' }

/** Goes on with an authorization at its gateway after the customer has answered. */
export async function askToContinue(
  deps: PaymentActivityDeps,
  gateway: Gateway,
  attempt: OpenedAttempt,
  { action, input }: { action: CustomerAction; input: StepInput },
  signal: AbortSignal,
): Promise<Outcome> {
  const { invoice, operation, access } = attempt
  const answer = await answerOf(deps, action, input)
  if (answer.kind === 'canceled') return endAuthentication(gateway, attempt, action, CANCELED, signal)
  if (gateway.continueAuthorization === undefined) throw new Error(`${gateway.name} asks its customers for nothing.`)
  return gateway.continueAuthorization(
    {
      ...access,
      reference: operation.id,
      invoiceId: invoice.id,
      amountMinor: operation.amountMinor,
      currency: operation.currency,
      continuation: action.continuation,
      answer,
      authentication: await authenticationOf(deps, attempt, gateway),
    },
    signal,
  )
}

/**
 * Ends an authorization that waits for its customer. A gateway that could still approve it by itself is asked to give it up,
 * and tells what has become of it.
 */
export async function endAuthentication(
  gateway: Gateway,
  { operation, access }: OpenedAttempt,
  { continuation }: CustomerAction,
  ended: Outcome,
  signal: AbortSignal,
): Promise<Outcome> {
  if (gateway.endAuthentication === undefined) return ended
  const { id: reference } = operation
  const request = { ...access, reference, type: 'authorization', gatewayAuthorizationId: null, continuation } as const
  const found = await gateway.endAuthentication(request, signal)
  if (found.kind === 'unreachable') return { kind: 'unknown', reason: found.reason }
  return found.kind === 'found' && found.outcome.kind !== 'declined' ? found.outcome : ended
}

/** The customer's answer, with what came along: parameters of the bank's page, or the data of a native library. */
async function answerOf(
  { orm }: Pick<PaymentActivityDeps, 'orm'>,
  action: CustomerAction,
  { command }: StepInput,
): Promise<CustomerAnswer> {
  const kind = command.kind === 'authorize' ? command.continues?.answer : undefined
  switch (kind) {
    case 'device data':
    case 'challenge result': {
      const note = await findRow(orm.em.fork(), CommandNoteEntity, { operationId: command.operationId })
      const { metadata = {} } = note?.content ?? {}
      return kind === 'device data'
        ? { kind, data: deviceDataOf(metadata) }
        : { kind, transStatus: metadata.transStatus === 'Y' ? 'Y' : 'N' }
    }
    case 'fingerprint timed out':
    case 'canceled':
      return { kind }
    default:
      return { kind: 'returned', parameters: action.returned ?? {} }
  }
}

function deviceDataOf({
  sdkAppID = '',
  sdkEphemPubKey = '{}',
  sdkReferenceNumber = '',
  sdkTransID = '',
  sdkEncData = '',
}: Record<string, string>): DeviceData {
  return { sdkAppID, sdkEphemPubKey: JSON.parse(sdkEphemPubKey), sdkReferenceNumber, sdkTransID, sdkEncData }
}
