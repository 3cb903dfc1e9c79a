import type { ErrorCode } from '../../../../domain/errors.ts'
import { type IdentifierKind, PREFIXES } from '../../../../domain/identifiers.ts'
import { ApiError } from '../../api-error.ts'
import type { ApiContext } from '../../context.ts'

/** Ids of other installations and of earlier versions may be shorter or longer than ours. */
const OPAQUE_PART = /^[0-9A-Za-z]{1,64}$/

/** True for a text that could be an id of this kind; whether there is such an object is another question. */
export function isIdentifier(kind: IdentifierKind, text: string): boolean {
  return text.startsWith(PREFIXES[kind]) && OPAQUE_PART.test(text.slice(PREFIXES[kind].length))
}

/** The id in the address. What cannot be an id is as unknown as one that nobody has. */
export function identifierIn(ctx: ApiContext, kind: IdentifierKind, notFound: ErrorCode): string {
  const { id = '' } = ctx.params
  if (!isIdentifier(kind, id)) throw new ApiError(notFound)
  return id
}
