import { useLayoutEffect } from 'react'

/** Gives the focus back to what had it before a dialog was there, or to the title of the page where that is gone. */
export function useFocusReturn(): void {
  useLayoutEffect(() => {
    const before = document.activeElement
    return () => {
      const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body
      const next = isThere ? before : document.getElementById('page-title')
      next?.focus({ preventScroll: true })
    }
  }, [])
}
