import type { ApiRequestRow } from '../persistence/entities/api-request.ts'
import { presentTimestamp } from './values.ts'

/** A logged request as it stands in a list: without its bodies, which are many times as long as the rest. */
export function presentListedApiRequest(row: ApiRequestRow) {
  return {
    id: row.id,
    request_id: row.requestId,
    project_id: row.projectId,
    sandbox: row.sandbox,
    api_key_id: row.apiKeyId ?? null,
    person_id: row.personId ?? null,
    method: row.method,
    path: row.path,
    query: row.query ?? null,
    status: row.status,
    error_type: row.errorType ?? null,
    has_idempotency_key: row.hasIdempotencyKey,
    ip: row.ip ?? null,
    user_agent: row.userAgent ?? null,
    api_version: row.apiVersion ?? null,
    latency_ms: row.latencyMs,
    created_at: presentTimestamp(row.createdAt),
  }
}

/** A logged request with its bodies, as far as they were kept. */
export function presentApiRequest(row: ApiRequestRow) {
  return {
    ...presentListedApiRequest(row),
    request_body: row.requestBody ?? null,
    response_body: row.responseBody ?? null,
  }
}
