import { deflateSync } from 'node:zlib'
import type { BankPage, RequestedAction } from '../../../domain/customer-action.ts'
import { formatAmount } from '../../../domain/money.ts'
import { type AuthenticationPlan, type CustomerStep, type Learned, VERSION_1 } from './authentications.ts'
import { acsSignedContent, directoryServerOf } from './native-data.ts'

/** Where the simulated bank's pages are, below the origin to which they send the browser back. */
const BANK_PATH = '/simulator/bank/'

/** The reference number that EMVCo would have given to this access control server. */
const ACS_REFERENCE_NUMBER = '3DS_LOA_ACS_HOLD_020200_00001'

/** An authorization that waits for its customer, as far as its actions show it. */
export interface WaitingPayment {
  plan: AuthenticationPlan
  learned: Learned
  returnUrl: string
  amountMinor: number
  currency: string
}

/** The action by which the customer takes a step. */
export function actionOf(payment: WaitingPayment, step: CustomerStep): RequestedAction {
  const { type, id: continuation } = step
  const { plan, learned } = payment
  switch (type) {
    case 'fingerprint':
    case 'redirect':
      return { type, continuation, page: bankPage(payment, step) }
    case 'url':
      return { type, continuation, page: bankPage(payment, step), isFullPage: plan.isFullPage === true }
    case 'fingerprint-mobile':
      return { type, continuation, data: configurationOf(plan) }
    case 'challenge-mobile':
      return { type, continuation, data: nativeChallenge(plan, step, learned) }
  }
}

/** What the bank's page sends back with the browser. */
export function answerOf({ plan }: Pick<WaitingPayment, 'plan'>, step: CustomerStep): Record<string, string> {
  const transStatus = step.answer === 'passed' ? 'Y' : 'N'
  const { version: messageVersion, serverTransId: threeDSServerTransID } = plan
  const { acsTransId: acsTransID } = step
  if (step.type === 'fingerprint') return { threeDSMethodData: base64Url({ threeDSServerTransID }) }
  if (messageVersion === VERSION_1) return { PaRes: version1Message('PARes', { status: transStatus }), MD: acsTransID }
  return { cres: base64Url({ threeDSServerTransID, acsTransID, messageType: 'CRes', messageVersion, transStatus }) }
}

/** The page of a step, with the fields by which the protocol opens it. */
function bankPage(payment: WaitingPayment, step: CustomerStep): BankPage {
  const url = `${new URL(payment.returnUrl).origin}${BANK_PATH}${step.id}`
  return { url, fields: openingFields(payment, step) }
}

/** Sources: EMVCo's specification of 3-D Secure 2, and Visa's of version 1. */
function openingFields(payment: WaitingPayment, step: CustomerStep): Record<string, string> {
  const { plan, returnUrl, amountMinor, currency } = payment
  const { version: messageVersion, serverTransId: threeDSServerTransID } = plan
  const { type, acsTransId: acsTransID } = step
  if (type === 'fingerprint')
    return { threeDSMethodData: base64Url({ threeDSServerTransID, threeDSMethodNotificationURL: returnUrl }) }
  if (messageVersion === VERSION_1) {
    const request = version1Message('PAReq', { amount: formatAmount(amountMinor, currency), currency })
    return { PaReq: request, TermUrl: returnUrl, MD: acsTransID }
  }
  const challenge = { messageType: 'CReq', messageVersion, threeDSServerTransID, acsTransID, challengeWindowSize: '05' }
  return { creq: base64Url(challenge) }
}

function configurationOf({ version: messageVersion, scheme, serverTransId }: AuthenticationPlan) {
  return {
    ...directoryServerOf(scheme),
    threeDSServerTransID: serverTransId,
    messageVersion,
    ...(scheme !== null && { scheme }),
  }
}

function nativeChallenge(plan: AuthenticationPlan, step: CustomerStep, { deviceKey }: Learned) {
  return {
    acsTransID: step.acsTransId,
    acsReferenceNumber: ACS_REFERENCE_NUMBER,
    acsSignedContent: acsSignedContent(deviceKey ?? {}),
    threeDSServerTransID: plan.serverTransId,
  }
}

/** XML, deflated, in base64; no value in it needs to be escaped. */
function version1Message(name: 'PAReq' | 'PARes', values: Readonly<Record<string, string>>): string {
  const element = (tag: string, content: string) => `<${tag}>${content}</${tag}>`
  const elements = Object.entries({ version: VERSION_1, ...values }).map(([tag, value]) => element(tag, value))
  const message = element('ThreeDSecure', element('Message', element(name, elements.join(''))))
  return deflateSync(message).toString('base64')
}

function base64Url(message: object): string {
  return Buffer.from(JSON.stringify(message)).toString('base64url')
}
