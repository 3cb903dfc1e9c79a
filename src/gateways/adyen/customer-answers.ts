import type { PaymentDetailsRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentDetailsRequest.js'
import type { ContinueRequest } from '../gateway.ts'
import type { Continuation } from './continuation.ts'
import type { Json } from './json.ts'
import { decodeMessage, encodeForAdyen, transStatusOf } from './messages.ts'

type Answer = ContinueRequest['answer']
type Parameters = Readonly<Record<string, string>>

/** Longer than any result that Adyen appends to the return address. */
const RESULT_LENGTH_MAX = 16 * 1024

/** The body of `POST /payments/details`, and the continuation with what the answer has added to it. */
export interface Submission {
  body: Json<PaymentDetailsRequest>
  continuation: Continuation
}

/**
 * Hands the customer's answer to Adyen. It only says what the browser has brought along: Adyen decides by what the
 * issuer has told it. Null for an answer that belongs to no such action. Source: Adyen's reference of `POST
 * /payments/details`.
 */
export function submissionOf(continuation: Continuation, answer: Answer): Submission | null {
  switch (continuation.step) {
    case 'redirect':
      return answer.kind === 'returned' ? redirectResult(continuation, answer.parameters) : null
    case 'fingerprint':
      return isOfFingerprint(answer) ? fingerprintResult(continuation, answer) : null
    case 'challenge':
      return answer.kind === 'returned' ? challengeResult(continuation, answer.parameters) : null
  }
}

/** The issuer has no fingerprint page. */
export function withoutFingerprint(continuation: Continuation): Submission {
  return fingerprintSubmission({ ...continuation, threeDSCompInd: 'U' })
}

/** `MD` and `PaRes` are those of a page that Adyen asked to be opened with a form. */
function redirectResult(continuation: Continuation, parameters: Parameters): Submission | null {
  const { redirectResult: result, MD, PaRes } = parameters
  if (isResult(result)) return { body: { details: { redirectResult: result } }, continuation }
  if (!isResult(MD) || !isResult(PaRes)) return null
  return { body: { details: { MD, PaRes }, ...paymentDataOf(continuation) }, continuation }
}

function isResult(text: string | undefined): text is string {
  return text !== undefined && text !== '' && text.length <= RESULT_LENGTH_MAX
}

function isOfFingerprint({ kind }: Answer): boolean {
  return kind === 'returned' || kind === 'fingerprint timed out'
}

/** The page was loaded only if it comes back with the id that it was opened with. */
function fingerprintResult(continuation: Continuation, answer: Answer): Submission {
  const message = answer.kind === 'returned' ? decodeMessage(answer.parameters.threeDSMethodData) : null
  const isLoaded = message !== null && message.threeDSServerTransID === continuation.threeDSServerTransID
  return fingerprintSubmission({ ...continuation, threeDSCompInd: isLoaded ? 'Y' : 'N' })
}

function fingerprintSubmission(continuation: Continuation): Submission {
  const { threeDSCompInd } = continuation
  const details = { threeds2_fingerprint: encodeForAdyen({ threeDSCompInd }) }
  return { body: { details, ...paymentDataOf(continuation) }, continuation }
}

/**
 * A message that is malformed, or of another challenge, tells nothing: Adyen then goes by what the issuer has told it.
 */
function challengeResult(continuation: Continuation, parameters: Parameters): Submission {
  const transStatus = transStatusOfChallenge(continuation, parameters) ?? 'U'
  const { authorisationToken } = continuation
  const body =
    authorisationToken === null
      ? { details: { threeds2_challengeResult: encodeForAdyen({ transStatus }) }, ...paymentDataOf(continuation) }
      : { details: { threeDSResult: encodeForAdyen({ transStatus, authorisationToken }) } }
  return { body, continuation }
}

function transStatusOfChallenge({ threeDSServerTransID, acsTransID }: Continuation, { cres }: Parameters) {
  const message = decodeMessage(cres)
  const isOurs =
    message !== null &&
    message.messageType === 'CRes' &&
    message.threeDSServerTransID === threeDSServerTransID &&
    message.acsTransID === acsTransID
  return isOurs ? transStatusOf(message.transStatus) : null
}

function paymentDataOf({ paymentData }: Continuation) {
  return paymentData === null ? {} : { paymentData }
}
