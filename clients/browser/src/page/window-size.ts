/** The sizes of a challenge, in CSS pixels, the best first. Source: EMVCo's specification of 3-D Secure 2, window size. */
const SIZES = [
  { width: 500, height: 600 },
  { width: 600, height: 400 },
  { width: 390, height: 400 },
] as const

/** What the dialog has around the bank's page. */
const MARGIN = 16
export const BAR_HEIGHT = 56

/** The size of the bank's page in a window of this size; null where it fills the whole window. */
export function windowSizeFor(width: number, height: number): { width: number; height: number } | null {
  const fits = (size: { width: number; height: number }) =>
    size.width + 2 * MARGIN <= width && size.height + 2 * BAR_HEIGHT + 2 * MARGIN <= height
  return SIZES.find(fits) ?? null
}
