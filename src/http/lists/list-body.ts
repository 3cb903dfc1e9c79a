import type { Page, PageRequest } from '../../persistence/queries/lists/page.ts'
import type { Presented } from '../expansion/resource.ts'

/** The one form of every list; its objects stand under their own plural. */
export function listBody(plural: string, request: PageRequest, page: Page<object>, objects: readonly Presented[]) {
  return {
    success: true,
    has_more: page.hasMore,
    count: objects.length,
    total_count: page.totalCount,
    total_count_capped: page.isTotalCapped,
    limit: request.limit,
    order: request.order,
    [plural]: objects,
  }
}
