/**
 * Rows of a list are counted up to this number. An exact count would take longer than everything else about a page, and a
 * second where there are millions.
 */
export const TOTAL_COUNT_MAX = 10_000

/** Which part of a list is wanted. The cursor is the id of a row next to the page and not part of it. */
export interface PageRequest {
  limit: number
  order: 'asc' | 'desc'
  cursor: { side: 'after' | 'before'; id: string } | null
}

export interface Page<Row> {
  /** In the order that was asked for, whichever side of the cursor they lie on. */
  rows: Row[]
  /** True where more rows follow in the direction of reading, away from the cursor. */
  hasMore: boolean
  /** All rows of the list, on whatever page, up to `TOTAL_COUNT_MAX`. */
  totalCount: number
  /** True where there are more rows than `totalCount`. */
  isTotalCapped: boolean
}
