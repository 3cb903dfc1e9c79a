import { acceptedSettings } from '../../gateways/account.ts'
import { GATEWAYS } from '../../gateways/installed.ts'
import { type ApiMiddleware, callerOf } from '../../http/context.ts'

/** The only gateway that takes no live money. */
const SANDBOX_ONLY = 'simulator'

/** What an account at each gateway may be set up with, in this environment. */
export function listGateways(): ApiMiddleware {
  return (ctx) => {
    const { sandbox } = callerOf(ctx)
    const gateways = GATEWAYS.filter(({ name }) => sandbox || name !== SANDBOX_ONLY)
    ctx.body = {
      success: true,
      gateways: gateways.map((gateway) => ({
        name: gateway.name,
        credentials: gateway.credentialNames,
        settings: acceptedSettings(gateway),
      })),
    }
  }
}
