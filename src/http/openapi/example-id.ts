import { createHash } from 'node:crypto'
import { type IdentifierKind, makeIdentifier } from '../../../domain/identifiers.ts'

/** An id of an example, always the same for the same name. */
export function exampleId(kind: IdentifierKind, name: string = kind): string {
  let made = 0
  return makeIdentifier(kind, (count) => {
    made += 1
    return createHash('shake256', { outputLength: count }).update(`${kind} ${name} ${made}`).digest()
  })
}

/** The `X-Request-Id` of every example. */
export const EXAMPLE_REQUEST_ID = 'req_7Qd2mVb0Zk9xYp4LrT1sWc8NfHa3JuEg'

/** Where the service of every example is. */
export const EXAMPLE_SERVICE = 'https://api.example'
