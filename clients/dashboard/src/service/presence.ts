/** Whether somebody uses the pages: what is read again by itself must not keep the session of nobody alive. */
const INPUTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const
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
