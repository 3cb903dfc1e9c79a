export { Holdfast } from './client.ts'
export {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  CustomerActionRequiredError,
  DeclinedError,
  HoldfastError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  UnavailableError,
} from './errors.ts'
export type * from './generated/resources.ts'
export type * from './generated/schemas.ts'
export type { Answered, LastResponse, RateLimit } from './last-response.ts'
export type { List, Page } from './list.ts'
export type { Expanding, HoldfastOptions, ListParams, RawOptions, RequestOptions } from './options.ts'
export { type WebhookHeaders, type WebhookSignature, WebhookVerificationError } from './webhook-proof.ts'
export { webhooks } from './webhooks.ts'
