import type { IncomingMessage } from 'node:http'

/** Several times the largest page of a history that Temporal serves. */
const BYTES_MAX = 16 * 1024 * 1024

/** The JSON of a body; undefined where it is none or too large. */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    // What is left is read all the same, so that the caller gets the answer.
    if (bytes <= BYTES_MAX) chunks.push(chunk)
  }
  if (bytes > BYTES_MAX) return undefined
  try {
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    return undefined
  }
}
