import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'

/** A request and its answer, redacted before they come here. Written once, never changed. */
export const ApiRequestEntity = defineEntity({
  name: 'ApiRequest',
  tableName: 'api_request',
  properties: {
    id: p.string().primary(),
    projectId: p.string(),
    sandbox: p.boolean(),
    /** The key of the request, or the person of the dashboard; both are null for a client's. */
    apiKeyId: p.string().nullable(),
    personId: p.string().nullable(),
    /** The `X-Request-Id` of the answer; several rows may share one that a caller chose. */
    requestId: p.string(),
    method: p.string(),
    path: p.string(),
    /** The query parameters; a repeated one is a list. */
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
    /** JSON text of an error. Null for any other answer, and where the caller disabled the logging of bodies. */
    responseBody: p.string().nullable(),
    /** When the request arrived. */
    createdAt: p.datetime(3),
  },
})

export type ApiRequestRow = InferEntity<typeof ApiRequestEntity>
