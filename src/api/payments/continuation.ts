import { type Continuation, type CustomerAction, isNative } from '../../../domain/customer-action.ts'
import type { ApiError } from '../../http/api-error.ts'
import type { AppDeps } from '../../http/dependencies.ts'
import { invalidField } from '../../http/input/input.ts'
import { type CommandNote, CommandNoteEntity } from '../../persistence/entities/command-note.ts'
import type { TransactionRow } from '../../persistence/entities/transaction.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import type { Scope } from '../../persistence/queries/scope.ts'
import { NOT_PENDING, type SentContinuation } from './source.ts'

/** The answer to a customer action, and the texts of a native library that came with it. */
export interface ContinuedPayment {
  continues: Continuation
  /** Kept beside the command, which histories store; null if nothing came along. */
  data: Record<string, string> | null
}

/** The members of a native library's answer that the bank needs. Source: EMVCo's specification of the 3-D Secure SDK. */
const DEVICE_DATA = ['sdkAppID', 'sdkEphemPubKey', 'sdkReferenceNumber', 'sdkTransID', 'sdkEncData'] as const

/**
 * Reads which action of the payment a continuation answers, and how. The last action counts even if it is over, and one of
 * its attempt before it even if its answer was taken, which may have been lost: then the answer is the state of the payment.
 *
 * @throws ApiError 400 `request.source.invalid` for anything but an answer to an action of the payment's last attempt.
 */
export function continuationOf(sent: SentContinuation, transaction: TransactionRow | null): ContinuedPayment {
  const action = transaction?.customerAction ?? null
  if (action === null) throw notPending()
  if (isNative(action)) {
    if (sent.url !== null) throw notPending()
    return nativeAnswer(sent, action)
  }
  const { id, earlierIds = [], value } = action
  const actionId = [id, ...earlierIds].find((each) => sent.url === value.replace(id, each))
  if (actionId === undefined) throw notPending()
  return { continues: { actionId, answer: browserAnswer(sent, action) }, data: null }
}

function browserAnswer({ body }: SentContinuation, { type }: CustomerAction): Continuation['answer'] {
  if (/(^|&)canceled=true(&|$)/.test(body)) return 'canceled'
  return type === 'fingerprint' && body.includes('threeDS2FingerprintTimeout') ? 'fingerprint timed out' : 'returned'
}

function nativeAnswer(
  { body }: SentContinuation,
  { id: actionId, type, earlierIds = [] }: CustomerAction,
): ContinuedPayment {
  const fields = fieldsOf(body)
  if (fields.canceled === true) return { continues: { actionId, answer: 'canceled' }, data: null }
  if (type === 'challenge-mobile') {
    const { transStatus } = fields
    const [first] = earlierIds
    // A native library sends the data of its device in the first step, which is answered already.
    const isOfFirst = DEVICE_DATA.every((name) => name in fields)
    if (first !== undefined && isOfFirst) return { continues: { actionId: first, answer: 'device data' }, data: null }
    if (transStatus !== 'Y' && transStatus !== 'N') throw incomplete('transStatus, which is Y or N')
    return { continues: { actionId, answer: 'challenge result' }, data: { transStatus } }
  }
  const data: Record<string, string> = {}
  for (const name of DEVICE_DATA) {
    const value = name === 'sdkEphemPubKey' ? keyText(fields[name]) : fields[name]
    if (typeof value !== 'string' || value === '') throw incomplete(name)
    data[name] = value
  }
  return { continues: { actionId, answer: 'device data' }, data }
}

/** The JSON of a key that came as an object or as its JSON; null for anything else. */
function keyText(value: unknown): string | null {
  const key = typeof value === 'string' ? fieldsOf(value) : value
  return isKey(key) ? JSON.stringify(key) : null
}

/** Whether a value is the JSON Web Key of an elliptic curve. */
function isKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { crv, kty, x, y } = value as Record<string, unknown>
  return [crv, kty, x, y].every((part) => typeof part === 'string' && part !== '')
}

function fieldsOf(body: string): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(body)
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Texts reach the attempt without passing through a history: those of a merchant, and the data of a native library. */
export async function keepNote(
  { clock }: Pick<AppDeps, 'clock'>,
  em: EntityManager,
  { projectId, sandbox }: Scope,
  operationId: string,
  { information = null, metadata }: Partial<CommandNote> & Pick<CommandNote, 'metadata'>,
): Promise<void> {
  if (information === null && Object.keys(metadata).length === 0) return
  const content = { information, metadata }
  await em.insert(CommandNoteEntity, { operationId, projectId, sandbox, content, createdAt: clock.now() })
}

export function notPending(): ApiError {
  return invalidField('source', NOT_PENDING, 'request.source.invalid')
}

function incomplete(what: string): ApiError {
  return invalidField('source', `lacks ${what}`, 'request.source.invalid')
}
