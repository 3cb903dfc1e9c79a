import type { Payload, PayloadCodec, SerializationContext } from '@temporalio/common'
import proto from '@temporalio/proto'
import { decryptBytes, encrypt, VaultError } from '../vault/cipher.ts'
import type { Keys } from '../vault/keys.ts'

const { Payload: PayloadMessage } = proto.temporal.api.common.v1

const ENCODING = 'binary/encrypted'
/** The names in the metadata of an encrypted payload. The first two are those of Temporal's samples. */
const METADATA = { encoding: 'encoding', keyId: 'encryption-key-id', workflowId: 'encryption-workflow-id' } as const

/** A payload of another workflow. The message contains ids only. */
export class ForeignPayloadError extends Error {
  override readonly name = 'ForeignPayloadError'
}

/**
 * Encrypts what Temporal keeps of a workflow: inputs, results, the texts of failures, summaries and details. Each payload is
 * bound to its workflow, whose id has the id of its payment or event: one that was cut from another history does not decrypt.
 *
 * Without encryption it encodes nothing and still decodes what is encrypted, so that either setting reads the histories of
 * the other.
 */
export function createPayloadCodec(keys: Pick<Keys, 'payload'>, { encrypts }: { encrypts: boolean }): PayloadCodec {
  return {
    encode: async (payloads, context) =>
      encrypts ? payloads.map((payload) => encryptPayload(keys, payload, context)) : payloads,
    decode: async (payloads, context) => payloads.map((payload) => decryptPayload(keys, payload, context)),
  }
}

/**
 * The SDK knows no workflow only for the failure of a workflow task that it could not process: that text is encrypted as one
 * of no workflow, and no workflow reads it.
 */
function encryptPayload(keys: Pick<Keys, 'payload'>, payload: Payload, context?: SerializationContext): Payload {
  const workflowId = context?.workflowId ?? ''
  const bytes = PayloadMessage.encode(payload).finish()
  const { ciphertext, keyId } = encrypt(keys.payload, { kind: 'payload', ownerId: workflowId }, bytes)
  return {
    metadata: {
      [METADATA.encoding]: Buffer.from(ENCODING),
      [METADATA.keyId]: Buffer.from(keyId),
      [METADATA.workflowId]: Buffer.from(workflowId),
    },
    data: ciphertext,
  }
}

/**
 * The payload as it was before `encode`; one that is not encrypted is given back as it is.
 *
 * @param context of the workflow that reads it; absent for a person who reads it, whom any workflow's payload serves.
 * @throws ForeignPayloadError for a payload of another workflow.
 * @throws VaultError where its key is not in the ring, or it was changed.
 */
export function decryptPayload(
  keys: Pick<Keys, 'payload'>,
  payload: Payload,
  context?: Pick<SerializationContext, 'workflowId'>,
): Payload {
  if (textOf(payload, METADATA.encoding) !== ENCODING) return payload
  const workflowId = workflowIdOf(payload)
  const reader = context?.workflowId
  if (reader !== undefined && reader !== workflowId)
    throw new ForeignPayloadError(`A payload of ${workflowId || 'no workflow'} was found in ${reader}.`)
  const encrypted = { ciphertext: payload.data ?? new Uint8Array(), keyId: textOf(payload, METADATA.keyId) }
  const bytes = decryptBytes(keys.payload, { kind: 'payload', ownerId: workflowId }, encrypted)
  const { metadata, data } = PayloadMessage.decode(bytes)
  return { metadata, data }
}

/** The workflow that an encrypted payload says it is of; empty for any other payload. */
export function workflowIdOf(payload: Payload): string {
  return textOf(payload, METADATA.workflowId)
}

/** Whether a payload cannot be read, rather than the reader being at fault. */
export function isUnreadable(error: unknown): error is Error {
  return error instanceof VaultError || error instanceof ForeignPayloadError
}

function textOf({ metadata }: Payload, name: string): string {
  return Buffer.from(metadata?.[name] ?? []).toString()
}
