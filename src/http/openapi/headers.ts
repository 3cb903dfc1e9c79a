import type { JsonSchema } from './json-schema.ts'

interface Header {
  description: string
  schema: JsonSchema
}

const text = { type: 'string' }
const whole = { type: 'integer', minimum: 0 }

/** The headers of answers. */
export const HEADERS: Readonly<Record<string, Header>> = {
  'X-Request-Id': {
    description: 'The id of this request, by which support and the request log find it.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
  },
  'x-ratelimit': { description: 'The limit that the request counted towards, in requests a minute.', schema: whole },
  'x-ratelimit-remaining': { description: 'What is left in its bucket, never below 0.', schema: whole },
  'RateLimit-Policy': {
    description: 'The same limit with its name: `q` requests in `w` seconds (draft-ietf-httpapi-ratelimit-headers-10).',
    schema: text,
  },
  RateLimit: {
    description: 'What is left (`r`), and in how many seconds at most one more (`t`).',
    schema: text,
  },
  'Retry-After': {
    description: 'In how many seconds to send the request again.',
    schema: { type: 'integer', minimum: 1 },
  },
  'Idempotent-Replayed': {
    description: '`true` where this is the kept answer of an earlier request with the same idempotency key.',
    schema: { type: 'string', const: 'true' },
  },
  'X-Service-Client-Secret': {
    description:
      'The client secret of the invoice, `ivs_…`: it proves that a page is the one to which you gave the invoice. Told to keys with the permission `payments` only.',
    schema: { type: 'string', pattern: '^ivs_' },
  },
  'WWW-Authenticate': { description: 'The way to authenticate: HTTP Basic.', schema: text },
}

/** On every answer. */
export const EVERYWHERE = ['X-Request-Id', 'x-ratelimit', 'x-ratelimit-remaining', 'RateLimit-Policy', 'RateLimit']

export function headersNamed(names: readonly string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
