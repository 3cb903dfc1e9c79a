import { useEffect, useRef } from 'react'
import type { Route } from '../service/route.ts'

/**
 * A page that is newly opened is shown from its top, and its title gets the focus, as after the load of a document. One that
 * is come back to stays where the browser has put it.
 */
export function useArrival({ path }: Route): void {
  const place = path.join('/')
  const last = useRef<string | null>(null)
  useEffect(() => {
    const isFirst = last.current === null
    const isSame = last.current === place
    last.current = place
    // An entry of the history that was here before has the mark; one that a link has made has no state.
    const isComeBackTo = history.state?.seen === true
    history.replaceState({ seen: true }, '')
    if (isFirst || isSame) return
    if (!isComeBackTo) window.scrollTo(0, 0)
    document.getElementById('page-title')?.focus({ preventScroll: true })
  }, [place])
}
