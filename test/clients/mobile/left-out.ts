import { saySkipped } from '../../gateways/skipped.ts'

/**
 * Says what a run leaves out, and why. Where everything has to be there, as in the CI, it is a failure:
 * `HOLDFAST_MOBILE=required`.
 *
 * @throws Error there.
 */
export function leaveOut(what: string, why: string): void {
  if (process.env.HOLDFAST_MOBILE === 'required') throw new Error(`HOLDFAST_MOBILE=required, but ${what}: ${why}`)
  saySkipped(what, why)
}
