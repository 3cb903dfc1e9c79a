export type ColorScheme = 'auto' | 'light' | 'dark'

/** What the device's owner prefers. */
const PREFERS_DARK = '(prefers-color-scheme: dark)'

/** Whether what is shown in this element is dark: what the element's CSS `color-scheme` allows decides, as for all else. */
export function isDark(element: Element, wanted: ColorScheme): boolean {
  if (wanted !== 'auto') return wanted === 'dark'
  const allowed = getComputedStyle(element).colorScheme
  if (!allowed.includes('dark')) return false
  return !allowed.includes('light') || matchMedia(PREFERS_DARK).matches
}

/** Calls the listener when the device's preference changes; the function that is returned ends that. */
export function onPreferenceChange(listener: () => void): () => void {
  const query = matchMedia(PREFERS_DARK)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
