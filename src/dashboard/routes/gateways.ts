import { acceptedSettings } from '../../gateways/account.ts'
import { GATEWAYS } from '../../gateways/installed.ts'
import { callerOf } from '../../http/context.ts'
import { everyRole } from '../../http/people/authenticate-person.ts'
import { call } from '../call.ts'
import { gatewaysAnswer } from '../contract.ts'

/** The only gateway that takes no live money. */
const SANDBOX_ONLY = 'simulator'

export const GATEWAYS_OF_SERVICE = [
  // What an account at each gateway may be set up with, in this environment.
  call('GET /gateways', {
    who: everyRole,
    answers: gatewaysAnswer,
    async run({ ctx }) {
      const gateways = GATEWAYS.filter(({ name }) => callerOf(ctx).sandbox || name !== SANDBOX_ONLY)
      return {
        gateways: gateways.map((gateway) => ({
          name: gateway.name,
          credentials: [...gateway.credentialNames],
          settings: acceptedSettings(gateway),
        })),
      }
    },
  }),
]
