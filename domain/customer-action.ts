import type { DeviceChannel } from './authentication.ts'

/**
 * A step of 3-D Secure that the customer has to take. The payment waits for it with its authorization attempt in flight.
 * The object that clients see is `{type, value, metadata}`; source of its forms: ProcessOut's client libraries.
 */

/**
 * `fingerprint`: load `value` in a hidden frame, for 10 s at most. `redirect`: show `value` in a frame, the challenge.
 * `url`: version 1 and pages of gateways, in a frame or full page. The mobile ones carry data for a native library.
 */
export const CUSTOMER_ACTION_TYPES = [
  'fingerprint',
  'redirect',
  'url',
  'fingerprint-mobile',
  'challenge-mobile',
] as const
export type CustomerActionType = (typeof CUSTOMER_ACTION_TYPES)[number]

/** A page of the bank or the gateway: opened by GET, or with fields by POST. */
export interface BankPage {
  url: string
  fields: Readonly<Record<string, string>> | null
}

/** What a gateway asks of the customer. */
export type RequestedAction = {
  /** What the gateway needs to go on afterwards, such as its own id. At most 16 kB. */
  continuation: string
} & (
  | { type: 'fingerprint' | 'redirect'; page: BankPage }
  /** `isFullPage`: the bank refuses to be shown in a frame. */
  | { type: 'url'; page: BankPage; isFullPage: boolean }
  /** As the native library takes it; the names are those of the specification. */
  | { type: 'fingerprint-mobile' | 'challenge-mobile'; data: Readonly<Record<string, unknown>> }
)

/** How the customer, or the customer's program, has answered an action. */
export type CustomerAnswer =
  /** The browser is back; these are the parameters that the bank's page has sent along. */
  | { kind: 'returned'; parameters: Readonly<Record<string, string>> }
  | { kind: 'fingerprint timed out' }
  /** The native library's data about the device, for `fingerprint-mobile`. */
  | { kind: 'device data'; data: DeviceData }
  /** The native library's result, for `challenge-mobile`. */
  | { kind: 'challenge result'; transStatus: 'Y' | 'N' }
  | { kind: 'canceled' }

export interface DeviceData {
  sdkAppID: string
  /** A JSON Web Key of a public key. */
  sdkEphemPubKey: Readonly<Record<string, string>>
  sdkReferenceNumber: string
  sdkTransID: string
  sdkEncData: string
}

/** An action as the transaction keeps it, until the next one or the end of the attempt. */
export interface CustomerAction {
  /** `act_…`; nobody can guess it. */
  id: string
  /** The authorization attempt. */
  attemptId: string
  /** Counts the actions of the attempt from 1. */
  number: number
  /** Those of the attempt before it, whose answers may come again; absent of the first. */
  earlierIds?: readonly string[]
  type: CustomerActionType
  /** What the client gets: an address of ours, or base64 of JSON for the mobile types. */
  value: string
  /** The page of ours on which the customer takes the action, for callers that do not show it themselves. */
  hostedPage: string
  /** The bank's page behind `value`; null for the mobile types. */
  page: BankPage | null
  isFullPage: boolean
  continuation: string
  channel: DeviceChannel
  /** Epoch ms; both count from the first action of the attempt. */
  expiresAt: number
  /** The parameters of the bank's page, once the browser is back. */
  returned: Readonly<Record<string, string>> | null
  /** The answer, and the command that has brought it; null as long as there is none. */
  answered: { by: string; kind: CustomerAnswer['kind'] } | null
}

/** The answer to a customer action, as a command carries it. Data that came with it is kept with the action: histories store commands. */
export interface Continuation {
  /** `act_…` */
  actionId: string
  answer: CustomerAnswer['kind']
}

/** Whether an action is for the native library of an app, and has no page. */
export function isNative({ type }: Pick<CustomerAction, 'type'>): boolean {
  return type === 'fingerprint-mobile' || type === 'challenge-mobile'
}

/** How long the customer has from the first action on. Source: ProcessOut's guide of 3-D Secure. */
export const CUSTOMER_HAS_MS = 15 * 60_000

/** More actions than this are a gateway or a bank going round in circles. */
export const ACTIONS_MAX = 5

/** Of the action that a gateway asks for, what the service adds. */
interface Issue {
  /** `act_…` */
  id: string
  attemptId: string
  invoiceId: string
  channel: DeviceChannel
  /** The action of this attempt before it, or null. */
  previous: CustomerAction | null
  /** The address of this service as browsers reach it, without a slash at its end. */
  publicUrl: string
  /** Workflow time in epoch ms. */
  at: number
}

/** The action as the transaction keeps it. The customer's time counts from the first action of the attempt. */
export function issueAction(
  requested: RequestedAction,
  { id, attemptId, invoiceId, channel, previous, publicUrl, at }: Issue,
): CustomerAction {
  const page = 'page' in requested ? requested.page : null
  const ofNativeLibrary = 'data' in requested ? base64(JSON.stringify(requested.data)) : null
  return {
    id,
    attemptId,
    number: (previous?.number ?? 0) + 1,
    ...(previous !== null && { earlierIds: [...(previous.earlierIds ?? []), previous.id] }),
    type: requested.type,
    value: ofNativeLibrary ?? `${publicUrl}/three-d-s/${invoiceId}/${id}`,
    hostedPage: `${publicUrl}/pay/${invoiceId}?action=${id}`,
    page,
    isFullPage: requested.type === 'url' && requested.isFullPage,
    continuation: requested.continuation,
    channel,
    expiresAt: previous?.expiresAt ?? at + CUSTOMER_HAS_MS,
    returned: null,
    answered: null,
  }
}

/**
 * What is left of an action at the end of its attempt: which one it was. What the bank has sent along is deleted, since it
 * may contain the issuer's proof.
 */
export function endedAction(action: CustomerAction): CustomerAction {
  return { ...action, page: null, continuation: '', returned: null }
}

/** Where the bank's page sends the browser after an action of this attempt. */
export function returnAddress(publicUrl: string, invoiceId: string, attemptId: string): string {
  return `${publicUrl}/three-d-s/${invoiceId}/${attemptId}/return`
}

/** A payment with the last action of its customer. */
interface ActedOn {
  customerAction?: CustomerAction | null | undefined
  attemptsInFlight: readonly { operationId: string; awaitsCustomerUntil?: number; isAbandoned: boolean }[]
}

/** The last action of an attempt; null if it asked for none, or another attempt has asked since. */
export function actionOf(
  { customerAction }: Pick<ActedOn, 'customerAction'>,
  attemptId: string,
): CustomerAction | null {
  return customerAction?.attemptId === attemptId ? customerAction : null
}

/** The action that the payment is waiting for; null if it waits for none. */
export function openAction(payment: ActedOn | null): CustomerAction | null {
  const action = payment?.customerAction ?? null
  const isAwaited = payment?.attemptsInFlight.some(
    ({ operationId, awaitsCustomerUntil, isAbandoned }) =>
      operationId === action?.attemptId && awaitsCustomerUntil !== undefined && !isAbandoned,
  )
  return isAwaited === true ? action : null
}

/** The source of a payment's last try. */
interface PaidWith {
  cardId?: string | null | undefined
  tokenId?: string | null | undefined
  customerId?: string | null | undefined
}

/** Whether the payment is tried with this source. A customer's id stands for a token of theirs. */
function isSourceOf({ cardId, tokenId, customerId }: PaidWith, source: string | null): boolean {
  if (source === null) return false
  return source === cardId || source === tokenId || (tokenId != null && source === customerId)
}

/**
 * Whether the customer authenticates with another source than this one. Two authentications side by side could both be
 * approved.
 */
export function isBusyWithOther(payment: Tried | null, source: string | null): boolean {
  return payment !== null && source !== null && openAction(payment) !== null && !isSourceOf(payment, source)
}

/** The last try of a payment: its source, and what its customer was asked for. */
export type Tried = ActedOn & PaidWith

/**
 * The customer is back from a page of the action, and the client sends the first source again, as it does after an action of
 * type `url`. Null for anything else.
 */
export function answeredBySource(source: string | null, tried: Tried | null): Continuation | null {
  if (tried === null || !isSourceOf(tried, source)) return null
  const action = openAction(tried)
  return action?.type === 'url' && action.returned !== null ? { actionId: action.id, answer: 'returned' } : null
}

/**
 * Whether a client says that the customer is back from a challenge whose page has not sent the browser back yet: the gateway
 * could only say that the challenge is not done, or refuse the payment. A fingerprint page may never come back.
 */
export function isStillAtBank({ actionId, answer }: Continuation, tried: Tried | null, at: number): boolean {
  const action = openAction(tried)
  if (action === null || action.id !== actionId || answer !== 'returned') return false
  return action.type !== 'fingerprint' && action.returned === null && at < action.expiresAt
}

/** Base64 with padding of a text in UTF-8. */
function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}
