/** Reading from the service: what was read last stays in view while it is read again. */
import { useState } from 'react'
import useSWR from 'swr'
import { ApiError, addressOf, type Query } from './api.ts'
import { isSomebodyThere } from './presence.ts'
import { useProject } from './session.tsx'

/** A page of a list of the REST interface; the objects stand under their plural. */
export type List<Plural extends string, Item> = { [name in Plural]: Item[] } & {
  has_more: boolean
  total_count: number
  total_count_capped: boolean
}

export interface Reading<Answer> {
  /** Undefined until the first answer, and of a first answer that is an error. */
  data: Answer | undefined
  error: ApiError | undefined
  isLoading: boolean
  /** Whether `data` is about to be replaced by the answer to another question. */
  isStale: boolean
  refresh(): Promise<unknown>
}

export interface ReadOptions<Answer> {
  query?: Query
  /** Milliseconds until it is read again, by the last answer; 0 is never. */
  every?: number | ((latest: Answer | undefined) => number)
  /** Whether another question keeps the answer of the last one in view, as pages and filters of a list do. */
  keep?: boolean
}

/** How everything is read. */
export const HABITS = {
  revalidateOnFocus: false,
  // What was read a moment ago is read again where it comes into view: it may have been changed here since.
  dedupingInterval: 0,
  isPaused: () => !isSomebodyThere(),
  // What the service refuses it refuses again; a failure of the network may pass.
  shouldRetryOnError: (failure: unknown) => failure instanceof ApiError && !failure.isDecided,
  errorRetryCount: 3,
} as const

/** `GET path`, in the present project. A path that is null is not read. */
export function useRead<Answer>(
  path: string | null,
  { query, every = 0, keep = false }: ReadOptions<Answer> = {},
): Reading<Answer> {
  const { api, project } = useProject()
  const key = path === null ? null : ([project.id, addressOf(path, query)] as const)
  // A number, since a function that is another one at each render begins the wait anew: a page that is shown again and
  // again would never be read.
  const [interval, setInterval] = useState(0)
  const { data, error, isLoading, isValidating, mutate } = useSWR<Answer, ApiError>(
    key,
    ([, address]: readonly [string, string]) => api.get<Answer>(address),
    {
      keepPreviousData: keep,
      refreshInterval: interval,
      ...HABITS,
    },
  )
  const wanted = typeof every === 'number' ? every : every(data)
  if (wanted !== interval) setInterval(wanted)
  return { data, error, isLoading, isStale: keep && isValidating && isLoading, refresh: () => mutate() }
}
