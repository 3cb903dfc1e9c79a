import type { IncomingMessage } from 'node:http'
import { ApiError } from './api-error.ts'

/**
 * The bytes of a body as they arrived, which gateways sign.
 *
 * @throws ApiError 413 for too many, 400 for an incomplete or compressed body.
 */
export async function readRawBody(request: IncomingMessage, bytesMax: number): Promise<Uint8Array> {
  const encoding = request.headers['content-encoding'] ?? ''
  // A compressed body could unpack to any size.
  if (!['', 'identity'].includes(encoding.toLowerCase()))
    throw new ApiError('request.bad-format', 'The body is sent as it is, without a content encoding.')
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax)
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of request) {
      length += chunk.length
      if (length > bytesMax) break
      chunks.push(chunk)
    }
  } catch {
    throw new ApiError('request.bad-format', 'The body ended before it was whole.')
  }
  if (length > bytesMax) throw tooLarge(bytesMax)
  return Buffer.concat(chunks)
}

function tooLarge(bytesMax: number): ApiError {
  // Otherwise the connection would wait for the rest of the body.
  return new ApiError('request.body-too-large', {
    message: `The body is larger than ${bytesMax / 1024} KiB.`,
    headers: { Connection: 'close' },
  })
}
