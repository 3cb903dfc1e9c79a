/** Reading a list page by page; the pages that were read stay, also while one is away on another page and comes back. */
import useSWRInfinite from 'swr/infinite'
import { type ApiError, addressOf, type Query } from './api.ts'
import { HABITS } from './read.ts'
import { useProject } from './session.tsx'

export interface PageReading<Answer> {
  /** The answers, the first page first; undefined before the first one. */
  pages: Answer[] | undefined
  error: ApiError | undefined
  isStale: boolean
  hasMore: boolean
  isReadingMore: boolean
  readMore(): void
  refresh(): Promise<unknown>
}

/**
 * @param next the `start_after` of the page behind this one, or null at the end; the same function at each call
 * @param every milliseconds until it is read again, by the last answers; 0 is never
 */
export function useReadPages<Answer>(
  path: string,
  query: Query,
  next: (answer: Answer) => string | null,
  every: (latest: readonly Answer[]) => number = () => 0,
): PageReading<Answer> {
  const { api, project } = useProject()
  const { data, error, size, setSize, isLoading, isValidating, mutate } = useSWRInfinite<Answer, ApiError>(
    (index: number, before: Answer | null) => {
      const after = before === null ? undefined : next(before)
      if (index > 0 && after === null) return null
      return [project.id, addressOf(path, { ...query, ...(after ? { start_after: after } : {}) })]
    },
    ([, address]: readonly [string, string]) => api.get<Answer>(address),
    {
      keepPreviousData: true,
      refreshInterval: (latest) => every(latest ?? []),
      ...HABITS,
    },
  )
  const last = data?.at(-1)
  return {
    pages: data,
    error,
    isStale: isLoading && data !== undefined,
    hasMore: last !== undefined && next(last) !== null,
    isReadingMore: isValidating && data !== undefined && data.length < size,
    readMore: () => void setSize((pages) => pages + 1),
    refresh: () => mutate(),
  }
}
