/** Whether somebody uses the pages: what is read again by itself must not keep the session of nobody alive. */
// An address that was typed or opened from elsewhere has no other input, and its page would never be read.
const INPUTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart', 'hashchange'] as const
const ABSENT_AFTER_MS = 120_000

let lastInputAt = Date.now()
for (const input of INPUTS)
  addEventListener(
    input,
    () => {
      lastInputAt = Date.now()
    },
    { capture: true, passive: true },
  )

export function isSomebodyThere(): boolean {
  return Date.now() - lastInputAt < ABSENT_AFTER_MS
}
