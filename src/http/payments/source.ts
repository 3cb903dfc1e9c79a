import { isIdentifier } from '../schemas/fields/identifier.ts'

/** The source of a payment or a token, as a merchant names it. */
export type SourceReference =
  | { kind: 'card'; id: string }
  | { kind: 'token'; id: string }
  | { kind: 'customer'; id: string }
  /** A continuation that a gateway has issued; `word` is the gateway's name for it. */
  | { kind: 'gateway-request'; word: string }
  | { kind: 'invalid'; message: string }

const GATEWAY_REQUEST_PREFIX = 'gway_req_'

/** The only continuation that the simulator accepts without having issued it. Source: ProcessOut's tests. */
const TEST_WORD = 'test-valid'
const TEST_PARAMETER = /(?:^|[?&"'\s])token=test-valid(?:$|[&#"'\s])/

/**
 * Parses a source without looking it up. Addresses inside a continuation are never fetched, and a continuation that no
 * gateway has issued is refused.
 */
export function readSource(text: string, { sandbox }: { sandbox: boolean }): SourceReference {
  if (isIdentifier('card', text)) return { kind: 'card', id: text }
  if (isIdentifier('token', text)) return { kind: 'token', id: text }
  if (isIdentifier('customer', text)) return { kind: 'customer', id: text }
  if (!text.startsWith(GATEWAY_REQUEST_PREFIX)) {
    return { kind: 'invalid', message: 'must begin with card_, tok_, cust_ or gway_req_ and be an id of this project' }
  }
  const content = contentOf(text.slice(GATEWAY_REQUEST_PREFIX.length))
  if (sandbox && TEST_PARAMETER.test(content)) return { kind: 'gateway-request', word: TEST_WORD }
  return { kind: 'invalid', message: 'is not a continuation of a step that is pending' }
}

/** A source as commands write it: an id, or a continuation with its word. */
export function sourceText(source: Exclude<SourceReference, { kind: 'invalid' }>): string {
  return source.kind === 'gateway-request' ? `${GATEWAY_REQUEST_PREFIX}${source.word}` : source.id
}

/**
 * The content of a continuation: base64 of a JSON request, with or without padding, or plain text. Only address and body of
 * the JSON are read.
 */
function contentOf(encoded: string): string {
  const isBase64 = /^[A-Za-z0-9+/_-]+={0,2}$/.test(encoded)
  const decoded = isBase64 ? Buffer.from(encoded, 'base64').toString('utf8') : encoded
  try {
    const { url = '', body = '' } = JSON.parse(decoded) as { url?: unknown; body?: unknown }
    return `${String(url)} ${String(body)}`
  } catch {
    // Plain text, or text that only looked like base64.
    return isBase64 ? `${decoded} ${encoded}` : decoded
  }
}
