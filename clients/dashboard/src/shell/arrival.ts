import { useEffect, useLayoutEffect, useRef } from 'react'
import type { Route } from '../service/route.ts'

/** How far down each entry of the history was left, by its mark. */
const tops = new Map<string, number>()

/** The mark of the entry that is shown; one that a link has just made gets its own. */
function markOfEntry(): string {
  const mark: string = history.state ?? String(performance.timeOrigin + performance.now())
  history.replaceState(mark, '')
  return mark
}

/**
 * A page that is newly opened is shown from its top, and its title gets the focus, as after the load of a document. One that
 * is come back to is shown where it was left: the browser itself would go no further down than the page that is left is high.
 */
export function useArrival({ path, query }: Route): void {
  const address = `${path.join('/')}?${query}`
  const last = useRef<string | null>(null)
  const entry = useRef('')
  useEffect(() => {
    history.scrollRestoration = 'manual'
    const remember = () => tops.set(entry.current, window.scrollY)
    addEventListener('scroll', remember)
    return () => removeEventListener('scroll', remember)
  }, [])
  // Before the browser tells that a shorter page has scrolled up: that is no place where the longer one was left.
  useLayoutEffect(() => {
    const place = address.split('?', 1)[0] ?? ''
    const isFirst = last.current === null
    const isSame = last.current === place
    const isComeBackTo = history.state !== null
    last.current = place
    entry.current = markOfEntry()
    if (isFirst) return
    // A list that is filtered anew stays where it is.
    if (isComeBackTo || !isSame) window.scrollTo(0, tops.get(entry.current) ?? 0)
    if (isSame) return
    document.getElementById('page-title')?.focus({ preventScroll: true })
  }, [address])
}
