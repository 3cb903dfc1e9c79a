import { describe, expect, test } from '@jest/globals'
import { createAdyen } from '../../../src/gateways/adyen/adapter.ts'
import { cardOf, makeRequests, patience } from './fixture.ts'

const { HOLDFAST_TEST_ADYEN_API_KEY: apiKey = '', HOLDFAST_TEST_ADYEN_MERCHANT_ACCOUNT: merchantAccount = '' } =
  process.env
const isConfigured = apiKey !== '' && merchantAccount !== ''

// Steps on a payment end by a notification, which the test host cannot bring to a machine that nobody can reach.
const describeOnTestHost = isConfigured ? describe : describe.skip

describeOnTestHost(
  "Adyen's test host, with HOLDFAST_TEST_ADYEN_API_KEY and _MERCHANT_ACCOUNT in the environment",
  () => {
    const access = {
      credentials: { apiKey },
      settings: {
        merchantAccount,
        environment: 'test',
        returnUrl: 'https://shop.example/return',
        cardData: 'test-encrypted',
      },
    }
    // References of another run are known there.
    const { authorization, followUp } = makeRequests(`adyen-sandbox-${Date.now()}`)
    const gateway = createAdyen()

    test('approves, answers a repeated reference the same, and notes a capture', async () => {
      const request = authorization(access)
      const outcome = await gateway.authorize(request, patience())

      expect(outcome).toMatchObject({ kind: 'approved', amountMinor: 2_900, currency: 'EUR' })
      expect(await gateway.authorize(request, patience())).toEqual(outcome)
      if (outcome.kind !== 'approved') return
      const capture = { ...followUp(request, outcome.gatewayOperationId, 2_900), ...access, isFinal: true }
      expect(await gateway.capture(capture, patience())).toMatchObject({ kind: 'pending' })
    })

    test('declines what the name of the holder asks for', async () => {
      const request = authorization({ ...access, card: cardOf('NOT_ENOUGH_BALANCE') })

      expect(await gateway.authorize(request, patience())).toMatchObject({ kind: 'declined', code: 'card.no-money' })
    })

    test('refuses a step on a payment that it does not know', async () => {
      const request = { ...followUp(authorization(), 'NOSUCHPAYMENT000', 100), ...access }

      expect(await gateway.refund(request, patience())).toMatchObject({ kind: 'declined' })
    })
  },
)
