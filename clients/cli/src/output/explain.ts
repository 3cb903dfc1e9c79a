import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  CustomerActionRequiredError,
  DeclinedError,
  type HoldfastError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  UnavailableError,
} from '../../../node/src/index.ts'
import { isInEnvironment } from '../credentials/credentials.ts'
import { EXIT } from '../failures.ts'
import type { Io } from '../io.ts'
import { painterOf, printable } from './style.ts'

/** Of the service: what to do next, by the class of the error. The first that fits holds. */
const ADVICE: readonly [
  kind: abstract new (...args: never[]) => HoldfastError,
  advice: (error: never, io: Io) => string,
][] = [
  [
    CustomerActionRequiredError,
    ({ action }: CustomerActionRequiredError) =>
      `Its bank wants the customer: send them to ${action.value}, and run the command again afterwards.`,
  ],
  [
    DeclinedError,
    // A refund, a capture or an increment is declined while the payment stays as it is.
    ({ transaction }: DeclinedError) =>
      ['failed', 'blocked'].includes(transaction?.status ?? '')
        ? 'The same invoice can be paid with another source.'
        : '',
  ],
  [
    InvalidRequestError,
    ({ invalidFields }: InvalidRequestError) =>
      invalidFields.length === 0 ? '' : 'Run the command with --help to see what it takes.',
  ],
  [
    AuthenticationError,
    (_, io) =>
      isInEnvironment(io)
        ? `Correct HOLDFAST_PROJECT_ID or HOLDFAST_SECRET_KEY, or unset them and run "${io.command} login".`
        : `Run "${io.command} login" with a valid key.`,
  ],
  [
    PermissionError,
    (_, io) => {
      const use = isInEnvironment(io) ? 'set HOLDFAST_SECRET_KEY to it' : `run "${io.command} login" with it`
      return `An owner of the project makes a key with the permission in the dashboard, under "API keys"; then ${use}.`
    },
  ],
  [NotFoundError, () => 'Check the id, and whether your key is of the same environment (sandbox or live).'],
  [RateLimitError, ({ retryAfter }: RateLimitError) => `Wait ${retryAfter ?? 'some'} seconds.`],
  [ConflictError, again],
  [UnavailableError, again],
  [
    ConnectionError,
    (error: ConnectionError) => `Is the service running? In a checkout "npm start" starts it. ${again(error)}`,
  ],
]

function again({ idempotencyKey }: HoldfastError): string {
  if (idempotencyKey === null) return 'Run the command again later.'
  return `Run the command again with --idempotency-key ${idempotencyKey}: what it does is done once.`
}

export function exitCodeOf(error: HoldfastError): number {
  if (error instanceof DeclinedError || error instanceof CustomerActionRequiredError) return EXIT.declined
  return error instanceof ConnectionError || error instanceof UnavailableError ? EXIT.unanswered : EXIT.refused
}

/** What the service has said, and what to do next. */
export function explain(error: HoldfastError, io: Io): string {
  const paint = painterOf(io.stderr)
  const code = error.code === null ? '' : ` (${error.code})`
  const message = printable(withoutAdvice(error))
  // The message has the first of them, or all.
  const fields = error.invalidFields.filter((field) => !error.message.includes(field.message))
  const advice = ADVICE.find(([kind]) => error instanceof kind)?.[1](error as never, io) ?? ''
  return [
    `${paint('red', 'Error:')} ${message}${code}`,
    ...fields.map((field) => `  ${printable(field.name)}: ${printable(field.message)}`),
    ...(advice === '' ? [] : [advice]),
    ...(error.requestId === null ? [] : [paint('dim', `Request ${error.requestId}`)]),
  ].join('\n')
}

/** The client tells programs what to do; at a terminal it is another thing. */
const withoutAdvice = ({ message }: HoldfastError) =>
  message.replace(/ It may have been carried out: .*$/, ' It may have been carried out.')

/** The same for a program. */
export function errorOf(error: HoldfastError): object {
  const { name, message, code, status, requestId, idempotencyKey, invalidFields, retryAfter } = error
  return {
    ...{ error: name, message, error_type: code, status, request_id: requestId, idempotency_key: idempotencyKey },
    ...{ invalid_fields: invalidFields, retry_after: retryAfter },
    ...(error instanceof CustomerActionRequiredError ? { customer_action: error.action } : {}),
    ...(error instanceof DeclinedError || error instanceof CustomerActionRequiredError
      ? { transaction: error.transaction }
      : {}),
  }
}
