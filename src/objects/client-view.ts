import { z } from 'zod'
import { codeForClients } from '../../domain/client-errors.ts'
import { ERRORS, isErrorCode } from '../../domain/errors.ts'
import { customerAction, invalidField } from './answers.ts'
import { card, cardInformation } from './card.ts'
import { gatewayConfiguration } from './gateway-configuration.ts'
import { invoice } from './invoice.ts'
import { clientFields, objectIn } from './object.ts'
import { token } from './token.ts'
import { transaction } from './transaction.ts'

const SHOWN = [
  ...([
    'success',
    'outcome',
    'message',
    'error_type',
    'doc_url',
    'request_id',
    'authorized',
    'captured',
    'customer_token_id',
  ] as const),
  ...(['has_more', 'count', 'total_count', 'total_count_capped', 'limit', 'order'] as const),
]

/** The answer itself, a success, a decline or a refusal, as far as clients see it. Each object says which of its fields they see. */
export const CLIENT_ANSWER = z.object({
  ...(Object.fromEntries(SHOWN.map((name) => [name, z.unknown()])) as Record<(typeof SHOWN)[number], z.ZodUnknown>),
  invalid_fields: invalidField,
  customer_action: customerAction,
  invoice,
  transaction,
  card,
  card_information: cardInformation,
  token,
  gateway_configurations: gatewayConfiguration,
})

/** What a client may see of the body of an answer. */
export function clientView(body: object): object {
  return viewOf(body, CLIENT_ANSWER)
}

/**
 * An object of an answer with the error that a client is told. What is refused at once, such as a security code of two
 * digits, is no failed payment and names what is wrong.
 */
function withErrorForClients(value: object, schema: z.ZodObject): object {
  const { outcome, error_type: errorType, error_code: errorCode } = value as Record<string, unknown>
  if (schema !== CLIENT_ANSWER && typeof errorCode === 'string')
    return { ...value, error_code: codeForClients(errorCode) }
  if (schema !== CLIENT_ANSWER || outcome !== 'failed' || typeof errorType !== 'string') return value
  const shown = codeForClients(errorType)
  if (shown === errorType || !isErrorCode(shown)) return value
  return { ...value, error_type: shown, message: ERRORS[shown].message }
}

/** What is shown of each field: an object of this schema, or a list of them; null for a plain value. */
type View = ReadonlyMap<string, z.ZodObject | null>

const VIEWS = new WeakMap<z.ZodObject, View>()

function viewFor(schema: z.ZodObject): View {
  const known = VIEWS.get(schema)
  if (known !== undefined) return known
  const fields = schema === CLIENT_ANSWER ? Object.keys(CLIENT_ANSWER.shape) : clientFields(schema)
  const view = new Map(fields.map((name) => [name, objectIn(schema.shape[name] as z.ZodType)] as const))
  VIEWS.set(schema, view)
  return view
}

function viewOf(value: object, schema: z.ZodObject): object {
  const view = viewFor(schema)
  const shown = Object.entries(withErrorForClients(value, schema)).flatMap(([field, inner]) => {
    const object = view.get(field)
    const seen = object === undefined ? undefined : shownAs(inner, object)
    return seen === undefined ? [] : [[field, seen] as const]
  })
  return Object.fromEntries(shown)
}

/** Undefined for what is not shown: no object in the place of a plain value, and no plain value in the place of an object. */
function shownAs(value: unknown, object: z.ZodObject | null): unknown {
  if (Array.isArray(value)) return value.map((inner) => shownAs(inner, object)).filter((inner) => inner !== undefined)
  const isObject = typeof value === 'object' && value !== null
  if (object === null) return isObject ? undefined : value
  if (value === null) return null
  return isObject ? viewOf(value, object) : undefined
}
