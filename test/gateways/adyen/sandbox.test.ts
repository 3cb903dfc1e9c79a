import { describe, expect, jest, test } from '@jest/globals'
import { createAdyen } from '../../../src/gateways/adyen/adapter.ts'
import { describeGateway, WITHOUT_LATER_STEPS } from '../contract.ts'
import { describeOnTestHost } from '../sandbox.ts'
import { booksInAnswers } from './books-in-answers.ts'
import { cardOf, makeRequests, patience } from './fixture.ts'
import { makeAdyenHarness } from './harness.ts'

const HOST = 'https://checkout-test.adyen.com'

/** A test asks up to a hundred times, over a continent. */
const TEST_TIMEOUT_MS = 300_000

jest.setTimeout(TEST_TIMEOUT_MS)

describeOnTestHost(
  'Adyen',
  ['HOLDFAST_TEST_ADYEN_API_KEY', 'HOLDFAST_TEST_ADYEN_MERCHANT_ACCOUNT'],
  ({ HOLDFAST_TEST_ADYEN_API_KEY: apiKey, HOLDFAST_TEST_ADYEN_MERCHANT_ACCOUNT: merchantAccount }) => {
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
    const seed = `Adyen's test host at ${Date.now()}`

    // Later steps end by a notification, which the test host cannot bring to a machine that nobody can reach.
    describeGateway(
      "Adyen's test host",
      async () => {
        const { harness } = await makeAdyenHarness({ target: HOST, access, booksOf: booksInAnswers })
        return { ...harness, isRemote: true, onlyNotesLaterSteps: true, actionCard: null }
      },
      { seed, parts: WITHOUT_LATER_STEPS },
    )

    describe("later steps on Adyen's test host", () => {
      const { authorization, followUp } = makeRequests(`${seed}, later steps`)
      const gateway = createAdyen()

      test('on a payment that it does not know are refused', async () => {
        const request = { ...followUp(authorization(), 'NOSUCHPAYMENT000', 100), ...access }

        expect(await gateway.refund(request, patience())).toMatchObject({ kind: 'declined' })
      })

      test('are noted, each under an id', async () => {
        const authorize = async (incremental: boolean) => {
          const request = authorization({ ...access, incremental })
          const outcome = await gateway.authorize(request, patience())
          if (outcome.kind !== 'approved') throw new Error(`Expected an approval, got ${JSON.stringify(outcome)}.`)
          const { gatewayOperationId } = outcome
          return (amountMinor: number) => ({ ...followUp(request, gatewayOperationId, amountMinor), ...access })
        }
        const [paid, raised, released] = [await authorize(false), await authorize(true), await authorize(false)]
        const noted = { kind: 'pending', gatewayOperationId: expect.stringMatching(/./) }

        expect(await gateway.capture({ ...paid(2_900), isFinal: true }, patience())).toEqual(noted)
        expect(await gateway.refund(paid(100), patience())).toEqual(noted)
        expect(await gateway.increment({ ...raised(100), targetTotalMinor: 3_000 }, patience())).toEqual(noted)
        expect(await gateway.void(released(2_900), patience())).toEqual(noted)
      })
    })

    test("a holder's name that asks for it is declined on Adyen's test host", async () => {
      const { authorization } = makeRequests(`${seed}, declined`)
      const request = authorization({ ...access, card: cardOf('NOT_ENOUGH_BALANCE') })

      expect(await createAdyen().authorize(request, patience())).toMatchObject({ code: 'card.no-money' })
    })
  },
)
