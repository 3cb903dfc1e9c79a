import type { ApiMiddleware } from '../context.ts'

/** The version of the interface, not of the program: it changes when a client must. */
const VERSION = '1.0.0'

/** What is to be found here; the only answer besides health that needs no key. */
export function versions(): ApiMiddleware {
  return (ctx) => {
    ctx.body = {
      success: true,
      name: 'holdfast',
      current_version: VERSION,
      latest_version: VERSION,
      versions: [VERSION],
    }
  }
}
