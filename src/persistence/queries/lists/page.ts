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
  /** All rows of the list, on whatever page, as far as they were counted. */
  totalCount: number
  /** False where there are more than were counted. */
  isTotalExact: boolean
}
