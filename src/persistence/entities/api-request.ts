import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'

/** What was asked and what was told, redacted before it comes here. Written once, never changed. */
export const ApiRequestEntity = defineEntity({
  name: 'ApiRequest',
  tableName: 'api_request',
  properties: {
    id: p.string().primary(),
    projectId: p.string(),
    sandbox: p.boolean(),
    /** The key that it was made with; null where a client made it. */
    apiKeyId: p.string().nullable(),
    /** The `X-Request-Id` of the answer; one that a caller chose may be on several rows. */
    requestId: p.string(),
    method: p.string(),
    path: p.string(),
    /** The parameters after the question mark, a repeated one as a list. */
    query: p.json<Record<string, unknown>>().nullable(),
    status: p.integer(),
    errorType: p.string().nullable(),
    /** Whether there was a key; the key itself is not kept. */
    hasIdempotencyKey: p.boolean(),
    ip: p.string().nullable(),
    userAgent: p.string().nullable(),
    apiVersion: p.string().nullable(),
    latencyMs: p.integer(),
    requestBody: p.json<unknown>().nullable(),
    /** JSON text of an error. Null for any other answer, and where the caller wished no bodies to be kept. */
    responseBody: p.string().nullable(),
    /** When the request came in. */
    createdAt: p.datetime(3),
  },
})

export type ApiRequestRow = InferEntity<typeof ApiRequestEntity>
