import type { IncomingMessage } from 'node:http'
import getRawBody from 'raw-body'
import { ApiError } from './api-error.ts'

/**
 * The bytes of a body as they arrived, which gateways sign.
 *
 * @throws ApiError 413 for too many, 400 for an incomplete or compressed body.
 */
export async function readRawBody(request: IncomingMessage, bytesMax: number): Promise<Uint8Array> {
  refusePacked(request)
  const { 'content-length': length } = request.headers
  return getRawBody(request, { length: length ?? null, limit: bytesMax }).catch((error) => {
    throw refusalOf(error, bytesMax)
  })
}

/** A compressed body could unpack to any size. */
export function refusePacked({ headers: { 'content-encoding': encoding = '' } }: IncomingMessage): void {
  if (!['', 'identity'].includes(encoding.toLowerCase()))
    throw new ApiError('request.bad-format', 'The body is sent as it is, without a content encoding.')
}

/** The errors of `raw-body` for a request that ended, or whose caller had gone before its body was read. */
const ENDED_EARLY: readonly unknown[] = ['request.aborted', 'request.size.invalid', 'stream.not.readable']

/** What a body is refused with that was not read; any other error is a defect, and stays what it is. */
export function refusalOf(error: Error & { type?: unknown }, bytesMax: number): Error {
  if (error.type === 'entity.too.large')
    return new ApiError('request.body-too-large', {
      message: `The body is larger than ${bytesMax / 1024} KiB.`,
      // Otherwise the connection would wait for the rest of the body.
      headers: { Connection: 'close' },
    })
  return ENDED_EARLY.includes(error.type) ? endedEarly() : error
}

export function endedEarly(): ApiError {
  return new ApiError('request.bad-format', 'The body ended before it was whole.')
}
