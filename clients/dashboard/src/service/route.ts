/** Addresses of pages: `#/test-proj_…/payments/iv_…?status=failed`. The first part is the project and its environment. */
import { useSyncExternalStore } from 'react'
import { kept } from './kept.ts'

export interface Route {
  projectId: string | null
  /** What follows the project, `['payments', 'iv_…']`. */
  path: readonly string[]
  query: URLSearchParams
}

export type RouteQuery = Readonly<Record<string, string | undefined>>

function parse(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  const [projectId, ...rest] = path
    .split('/')
    .filter((part) => part !== '')
    .map(decoded)
  return { projectId: projectId ?? null, path: rest, query: new URLSearchParams(query) }
}

/** A part of an address that somebody has mistyped stays as it is, and leads nowhere. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The address of a page, for `href`. Values that are empty are left out of the query. */
export function hashOf(projectId: string, path: readonly string[], query: RouteQuery = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => (entry[1] ?? '') !== '')
  const parameters = new URLSearchParams(given).toString()
  return `#/${[projectId, ...path].map(encodeURIComponent).join('/')}${parameters === '' ? '' : `?${parameters}`}`
}

export function go(hash: string, { replace = false }: { replace?: boolean } = {}): void {
  if (replace) location.replace(hash)
  else location.hash = hash
}

/** The address of a page with the query with which it was seen last, for the way back to a list as it was searched. */
export function lastHashOf(projectId: string, path: readonly string[]): string {
  const hash = hashOf(projectId, path)
  return kept.get(hash) ?? hash
}

function subscribe(changed: () => void): () => void {
  addEventListener('hashchange', changed)
  return () => removeEventListener('hashchange', changed)
}

/** The page that is asked for; rendered anew whenever it changes. */
export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => location.hash)
  kept.set(hash.split('?', 1)[0] ?? '', hash)
  return parse(hash)
}
