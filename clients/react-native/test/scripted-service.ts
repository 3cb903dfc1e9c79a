import type { Flow } from '../../test/wire-fixtures.ts'
import { CustomerCanceled, type ThreeDSService, tokenFrom } from '../src/index.ts'

/** An app's service that does what a fixture says, and counts. */
export function createScriptedService(script: Flow['service'] = {}): { service: ThreeDSService; calls: string[] } {
  const calls: string[] = []
  const redirects = [...(script.redirects ?? [])]
  const failed = () => new Error('The native library has failed.')
  const service: ThreeDSService = {
    async authenticationRequest() {
      calls.push('authenticationRequest')
      if (typeof script.device_data !== 'object') throw failed()
      return script.device_data
    },
    async handleChallenge() {
      calls.push('challenge')
      if (script.challenge === 'canceled') throw new CustomerCanceled()
      if (script.challenge !== 'passed' && script.challenge !== 'failed') throw failed()
      return script.challenge === 'passed'
    },
    async handleRedirect(redirect) {
      calls.push('redirect')
      const opened = redirects.shift()
      if (opened === undefined) throw failed()
      if (opened === 'canceled') throw new CustomerCanceled()
      if (opened === 'hangs') return new Promise(() => {})
      // What is no address is what a careless app hands over as it is.
      return opened.includes('://') ? tokenFrom(redirect, opened) : opened
    },
    cleanup() {
      calls.push('cleanup')
      // Nothing that goes wrong here may reach the payment.
      throw new Error('The cleanup has failed.')
    },
  }
  return { service, calls }
}
