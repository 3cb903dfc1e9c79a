import type { CustomerAction } from '../../../domain/customer-action.ts'
import { isIdentifier, otherKindIn } from '../../../domain/identifiers.ts'

/** The source of a payment or a token, as a merchant names it. */
export type SourceReference =
  | { kind: 'card'; id: string }
  | { kind: 'token'; id: string }
  | { kind: 'customer'; id: string }
  /** A continuation that a gateway has issued; `word` is the gateway's name for it. */
  | { kind: 'gateway-request'; word: string }
  /** The answer to an action of the customer. */
  | { kind: 'continuation'; sent: SentContinuation }
  | { kind: 'invalid'; message: string }

const GATEWAY_REQUEST_PREFIX = 'gway_req_'

/** The only continuation that the simulator accepts without having issued it. Source: ProcessOut's tests. */
const TEST_WORD = 'test-valid'
const TEST_PARAMETER = /(?:^|[?&"'\s])token=test-valid(?:$|[&#"'\s])/

/** The answer to a customer action as clients send it: a request of which nothing is ever fetched. */
export interface SentContinuation {
  /** The `value` of the action; null for the answers of native libraries. */
  url: string | null
  body: string
}

/**
 * Parses a source without looking it up. Addresses inside a continuation are never fetched: the address only tells which
 * action is answered.
 */
export function readSource(text: string, { sandbox }: { sandbox: boolean }): SourceReference {
  if (isIdentifier('card', text)) return { kind: 'card', id: text }
  if (isIdentifier('token', text)) return { kind: 'token', id: text }
  if (isIdentifier('customer', text)) return { kind: 'customer', id: text }
  if (!text.startsWith(GATEWAY_REQUEST_PREFIX)) {
    const message = 'must begin with card_, tok_, cust_ or gway_req_ and be an id of this project'
    return { kind: 'invalid', message: otherKindIn(text, 'card', 'token', 'customer') ?? message }
  }
  const content = contentOf(text.slice(GATEWAY_REQUEST_PREFIX.length))
  if (sandbox && TEST_PARAMETER.test(content.text)) return { kind: 'gateway-request', word: TEST_WORD }
  return content.sent === null
    ? { kind: 'invalid', message: NOT_PENDING }
    : { kind: 'continuation', sent: content.sent }
}

export const NOT_PENDING = 'is not a continuation of a step that is pending'

/** A source as commands write it: an id, or a continuation with its word. */
export function sourceText(source: Exclude<SourceReference, { kind: 'invalid' | 'continuation' }>): string {
  return source.kind === 'gateway-request' ? `${GATEWAY_REQUEST_PREFIX}${source.word}` : source.id
}

/** The source by which a client goes on once the browser is back. It says nothing but which action has been answered. */
export function answerSourceOf({ value }: Pick<CustomerAction, 'value'>): string {
  return GATEWAY_REQUEST_PREFIX + Buffer.from(JSON.stringify({ url: value })).toString('base64url')
}

/**
 * The content of a continuation: base64 of a JSON request, with or without padding, or plain text. Only address and body of
 * the JSON are read.
 */
function contentOf(encoded: string): { text: string; sent: SentContinuation | null } {
  const isBase64 = /^[A-Za-z0-9+/_-]+={0,2}$/.test(encoded)
  const decoded = isBase64 ? Buffer.from(encoded, 'base64').toString('utf8') : encoded
  try {
    const { url = null, body = null } = JSON.parse(decoded) as { url?: unknown; body?: unknown }
    const sent = { url: url === null ? null : String(url), body: body === null ? '' : String(body) }
    return { text: `${sent.url ?? ''} ${sent.body}`, sent: url === null && body === null ? null : sent }
  } catch {
    // Plain text, or text that only looked like base64.
    return { text: isBase64 ? `${decoded} ${encoded}` : decoded, sent: null }
  }
}
