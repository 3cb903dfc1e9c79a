/** An id is a prefix, which shows its kind, and 32 base62 characters (190 bits): it cannot be guessed or collide. */

export const PREFIXES = {
  project: 'proj_',
  apiKey: 'key_',
  person: 'pers_',
  invitation: 'invt_',
  card: 'card_',
  invoice: 'iv_',
  invoiceDetail: 'iv_det_',
  customer: 'cust_',
  token: 'tok_',
  refund: 'refd_',
  transaction: 'tr_',
  operation: 'tr_op_',
  gatewayConfiguration: 'gway_conf_',
  ruleSet: 'rs_',
  rule: 'rr_',
  event: 'ev_',
  delivery: 'whd_',
  deliveryAttempt: 'wha_',
  webhookEndpoint: 'whe_',
  webhookSecret: 'whs_',
  apiRequest: 'api_req_',
  customerAction: 'act_',
  reconciliation: 'rec_',
  reconciliationDifference: 'rec_diff_',
} as const

export type IdentifierKind = keyof typeof PREFIXES

/** Returns that many random bytes, like Node's `crypto.randomBytes`. */
export type RandomBytes = (count: number) => Uint8Array

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** The characters behind the prefix of an id, and of a secret that is made like one. */
export const RANDOM_LENGTH = 32
/** Bytes from 248 on are skipped: they would make the first characters of the alphabet likelier. */
const UNBIASED_BELOW = 248

/** 32 base62 characters, each equally likely. */
export function randomText(randomBytes: RandomBytes, length = RANDOM_LENGTH): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < UNBIASED_BELOW && text.length < length) text += ALPHABET[byte % ALPHABET.length]
    }
  }
  return text
}

/** A new id, such as `iv_` and 32 characters. */
export function makeIdentifier(kind: IdentifierKind, randomBytes: RandomBytes): string {
  return PREFIXES[kind] + randomText(randomBytes)
}

/** Ids of other installations and earlier versions may differ in length from ours. */
const OPAQUE_PART = /^[0-9A-Za-z]{1,64}$/

/** True for a possible id of this kind; the object need not exist. */
export function isIdentifier(kind: IdentifierKind, text: string): boolean {
  return text.startsWith(PREFIXES[kind]) && OPAQUE_PART.test(text.slice(PREFIXES[kind].length))
}

/** What a text is the id of, by its prefix; null for no id. */
function identifierKindOf(text: string): IdentifierKind | null {
  return (Object.keys(PREFIXES) as IdentifierKind[]).find((kind) => isIdentifier(kind, text)) ?? null
}

/**
 * That a text is the id of another kind of object than these, to follow what named it: `is the id of an invoice (iv_…); the
 * id of a customer begins with cust_`. Null for an id of theirs, and for no id. It is read from the text alone, so that it
 * tells nothing of what is there.
 */
export function otherKindIn(text: string, ...wanted: [IdentifierKind, ...IdentifierKind[]]): string | null {
  const kind = identifierKindOf(text)
  if (kind === null || wanted.includes(kind)) return null
  return `is the id of ${nameOfKind(kind)} (${PREFIXES[kind]}…); ${beginningsOf(...wanted)}`
}

/** `the id of a card begins with card_, that of a token with tok_` */
export const beginningsOf = (first: IdentifierKind, ...others: IdentifierKind[]): string =>
  [
    `the id of ${nameOfKind(first)} begins with ${PREFIXES[first]}`,
    ...others.map((kind) => `that of ${nameOfKind(kind)} with ${PREFIXES[kind]}`),
  ].join(', ')

/** `an invoice`, `a gateway configuration` */
export function nameOfKind(kind: IdentifierKind): string {
  const words = kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/^api/, 'API')
  return `${/^[aeio]/i.test(words) ? 'an' : 'a'} ${words}`
}
