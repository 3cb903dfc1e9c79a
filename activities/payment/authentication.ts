import type { AuthenticationRequest, BrowserDetails, ExternalAuthentication } from '../../domain/authentication.ts'
import { restrictCapabilities } from '../../domain/capabilities.ts'
import {
  actionOf,
  type CustomerAction,
  type CustomerAnswer,
  type DeviceData,
  returnAddress,
} from '../../domain/customer-action.ts'
import type { Outcome } from '../../domain/operation.ts'
import { CUSTOMER_TIMED_OUT, GIVEN_UP } from '../../domain/reconcile.ts'
import type { Gateway } from '../../src/gateways/gateway.ts'
import { CommandNoteEntity } from '../../src/persistence/entities/command-note.ts'
import { ExternalAuthenticationEntity } from '../../src/persistence/entities/external-authentication.ts'
import type { OperationRow } from '../../src/persistence/entities/operation.ts'
import { findRow } from '../../src/persistence/rows.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import type { Attempt, OpenedAttempt } from './attempt.ts'

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
  attempt: Pick<Attempt, 'invoice' | 'operation' | 'card' | 'configuration'>,
  gateway: Gateway,
): Promise<AuthenticationRequest> {
  const { invoice, operation } = attempt
  const publicUrl = deps.publicUrl()
  const isPossible = gateway.continueAuthorization !== undefined && canCustomerAct(deps, operation)
  const wanted = operation.wantedAuthentication
  const browser = browserOf(attempt)
  const { nativeThreeDs } = restrictCapabilities(gateway.capabilities, attempt.configuration.capabilities)
  return {
    isPossible,
    isRequired: wanted?.isRequired === true,
    challengeIndicator: wanted?.challengeIndicator ?? null,
    exemption: wanted?.exemption ?? null,
    // Where there is no native way, an app opens the pages of the bank in a browser session.
    channel: nativeThreeDs ? (wanted?.channel ?? 'web') : 'web',
    returnUrl: isPossible && publicUrl !== null ? returnAddress(publicUrl, invoice.id, operation.id) : null,
    external: await findExternal(deps, operation),
    ...(browser !== null && { browser }),
  }
}

/** The header `Accept` of a browser whose script does not know it. */
const ACCEPTS_ANYTHING = '*/*'

/** The depths of a screen that issuers know, in bits per pixel. Source: EMVCo's specification of 3-D Secure. */
const COLOR_DEPTHS = [1, 4, 8, 15, 16, 24, 32, 48]

/**
 * The browser in which the card was entered for this payment; null if it is not known, or not completely. A stored card was
 * entered in another one.
 */
function browserOf({ operation, card }: Pick<Attempt, 'operation' | 'card'>): BrowserDetails | null {
  if (card === null || operation.tokenId != null) return null
  const { userAgent, appLanguage, appColorDepth, appScreenHeight, appScreenWidth, appTimezoneOffset } = card
  const colorDepth = COLOR_DEPTHS.findLast((known) => known <= (appColorDepth ?? 0))
  if (userAgent == null || appLanguage == null || colorDepth === undefined) return null
  if (appScreenHeight == null || appScreenWidth == null || appTimezoneOffset == null) return null
  return {
    acceptHeader: card.headerAccept ?? ACCEPTS_ANYTHING,
    userAgent,
    language: appLanguage,
    colorDepth,
    screenHeight: appScreenHeight,
    screenWidth: appScreenWidth,
    timeZoneOffset: appTimezoneOffset,
    javaEnabled: card.appJavaEnabled === true,
    ipAddress: card.ipAddress ?? null,
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

/** An action that the customer has answered. */
export type AnsweredAction = CustomerAction & { answered: NonNullable<CustomerAction['answered']> }

/** The last action of an authorization, if the customer has answered it; null otherwise. */
export function answeredAction({ transaction, operation }: Attempt): AnsweredAction | null {
  const action = actionOf(transaction, operation.id)
  return action === null || action.answered === null ? null : { ...action, answered: action.answered }
}

const CANCELED: Outcome = { kind: 'declined', code: 'customer.cancelled', gatewayCode: 'CANCELED' }

/** Goes on with an authorization at its gateway after the customer has answered. */
export async function askToContinue(
  deps: PaymentActivityDeps,
  gateway: Gateway,
  attempt: OpenedAttempt,
  action: AnsweredAction,
  signal: AbortSignal,
): Promise<Outcome> {
  const { invoice, operation, access } = attempt
  const answer = await answerOf(deps, action)
  if (answer.kind === 'canceled') return endAuthentication(gateway, attempt, { ...action, ended: CANCELED }, signal)
  if (gateway.continueAuthorization === undefined) throw new Error(`${gateway.name} has no customer actions.`)
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

/** An authentication that its customer cannot finish any more. */
export interface EndedAuthentication {
  /** That of the action. */
  continuation: string
  /** The outcome, unless the gateway reports another one. */
  ended: Outcome
}

/**
 * The authentication that ends now: the customer's time is over, or staff or the merchant have closed the authorization.
 * Null while the customer may act, and after the customer has answered. `at` is workflow time in epoch ms.
 */
export function authenticationToEnd({ transaction, operation }: Attempt, at: number): EndedAuthentication | null {
  const inFlight = transaction.attemptsInFlight.find(({ operationId }) => operationId === operation.id)
  const action = actionOf(transaction, operation.id)
  if (inFlight === undefined || action === null || action.answered !== null) return null
  const { continuation, expiresAt } = action
  if (inFlight.isAbandoned) return { continuation, ended: GIVEN_UP }
  return at >= expiresAt ? { continuation, ended: CUSTOMER_TIMED_OUT } : null
}

/**
 * Ends an authorization that waits for its customer. A gateway that could still approve it by itself is asked to give it up,
 * and tells what has become of it.
 */
export async function endAuthentication(
  gateway: Gateway,
  { operation, access }: OpenedAttempt,
  { continuation, ended }: EndedAuthentication,
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
  { answered: { by: operationId, kind }, returned }: AnsweredAction,
): Promise<CustomerAnswer> {
  switch (kind) {
    case 'device data':
    case 'challenge result': {
      const note = await findRow(orm.em.fork(), CommandNoteEntity, { operationId })
      const { metadata = {} } = note?.content ?? {}
      return kind === 'device data'
        ? { kind, data: deviceDataOf(metadata) }
        : { kind, transStatus: metadata.transStatus === 'Y' ? 'Y' : 'N' }
    }
    case 'fingerprint timed out':
    case 'canceled':
      return { kind }
    case 'returned':
      return { kind, parameters: returned ?? {} }
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
