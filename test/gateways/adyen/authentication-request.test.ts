import { describe, expect, test } from '@jest/globals'
import type { AuthenticationRequest } from '../../../domain/authentication.ts'
import { authenticationFields, exemptionOf } from '../../../src/gateways/adyen/authentication-request.ts'
import { CUSTOMER_PRESENT, EXTERNAL, NOBODY_TO_ACT, RETURN_URL } from '../contract-authentication.ts'
import { BROWSER } from './authentication-fixture.ts'
import { makeRequests } from './fixture.ts'

const IN_BROWSER: AuthenticationRequest = { ...CUSTOMER_PRESENT, browser: BROWSER }

const { authorization } = makeRequests('adyen-authentication-request')
const fieldsOf = (authentication: AuthenticationRequest, isMerchantInitiated = false) =>
  authenticationFields(authorization({ authentication, isMerchantInitiated }))

describe('the authentication that Adyen is asked for', () => {
  test('is none if nobody can act; a card that needs it is then declined there', () => {
    expect(fieldsOf(NOBODY_TO_ACT)).toEqual({ authenticationData: { attemptAuthentication: 'never' } })
    expect(fieldsOf({ ...IN_BROWSER, isPossible: false })).toEqual({
      authenticationData: { attemptAuthentication: 'never' },
    })
    expect(fieldsOf({ ...NOBODY_TO_ACT, isRequired: true })).toEqual({
      authenticationData: { attemptAuthentication: 'always' },
    })
  })

  test('is none of a payment that the merchant initiates', () => {
    expect(fieldsOf(NOBODY_TO_ACT, true)).toEqual({})
    expect(fieldsOf(IN_BROWSER, true)).toEqual({})
  })

  test('is native in a browser that is known, and leads back to us', () => {
    const { ipAddress, ...browserInfo } = BROWSER

    expect(fieldsOf(IN_BROWSER)).toEqual({
      channel: 'Web',
      origin: 'https://pay.holdfast.example',
      browserInfo,
      shopperIP: ipAddress,
      authenticationData: { threeDSRequestData: { nativeThreeDS: 'preferred', challengeWindowSize: '05' } },
      threeDS2RequestData: { notificationURL: RETURN_URL },
    })
    expect(fieldsOf({ ...IN_BROWSER, browser: { ...BROWSER, ipAddress: null } })).not.toHaveProperty('shopperIP')
  })

  test.each<Partial<AuthenticationRequest>>([{ channel: 'ios' }, { channel: 'android' }])(
    'is a page of Adyen in an application: %j',
    (changes) => {
      expect(fieldsOf({ ...IN_BROWSER, ...changes })).toMatchObject({
        channel: 'Web',
        authenticationData: { threeDSRequestData: { nativeThreeDS: 'disabled' } },
      })
      expect(fieldsOf({ ...IN_BROWSER, ...changes })).not.toHaveProperty('threeDS2RequestData')
    },
  )

  test('is a page of Adyen in a browser that is not known', () => {
    expect(fieldsOf(CUSTOMER_PRESENT)).toEqual({
      channel: 'Web',
      origin: 'https://pay.holdfast.example',
      authenticationData: { threeDSRequestData: { nativeThreeDS: 'disabled' } },
    })
  })

  test.each<[Partial<AuthenticationRequest>, 'always' | undefined, string | undefined]>([
    [{ isRequired: true }, 'always', undefined],
    [{ challengeIndicator: 'no-preference' }, undefined, '01'],
    [{ challengeIndicator: 'no-challenge-requested' }, undefined, '02'],
    [{ challengeIndicator: 'challenge-requested' }, 'always', '03'],
    [{ challengeIndicator: 'challenge-requested-mandate' }, 'always', '04'],
    [{ challengeIndicator: 'no-challenge-requested-tra-performed' }, undefined, '05'],
    [{ challengeIndicator: 'no-challenge-requested-data-share-only', isRequired: true }, 'always', '06'],
    [{ challengeIndicator: 'no-challenge-requested-sca-performed' }, undefined, undefined],
    [{ challengeIndicator: 'no-challenge-requested-whitelist-exemption' }, undefined, undefined],
    [{ challengeIndicator: 'challenge-requested-whitelist-prompt' }, undefined, undefined],
    [{ challengeIndicator: 'cb-scoring' }, undefined, undefined],
  ])('is by %j attempted %p, with the indicator %p', (wanted, attempt, indicator) => {
    for (const authentication of [IN_BROWSER, CUSTOMER_PRESENT]) {
      const { authenticationData, threeDS2RequestData } = fieldsOf({ ...authentication, ...wanted })
      expect(authenticationData?.attemptAuthentication).toBe(attempt)
      expect(threeDS2RequestData?.threeDSRequestorChallengeInd).toBe(indicator)
    }
  })

  test.each([
    ['low-value', 'lowValue'],
    ['trusted-beneficiary', 'trustedBeneficiary'],
    ['transaction-risk-analysis', 'transactionRiskAnalysis'],
    ['moon-phase', null],
    [null, null],
  ])('is exempt by %p as %p', (exemption, word) => {
    expect(exemptionOf({ ...CUSTOMER_PRESENT, exemption })).toBe(word)
  })

  test('that was made elsewhere is handed over, and none is asked for', () => {
    const cavv = EXTERNAL.cavv
    const external = (changes: object) => fieldsOf({ ...IN_BROWSER, external: { ...EXTERNAL, ...changes } })

    expect(external({})).toEqual({
      mpiData: {
        threeDSVersion: '2.2.0',
        eci: '05',
        cavv,
        directoryResponse: 'C',
        authenticationResponse: 'Y',
        dsTransID: EXTERNAL.dsTransId,
      },
    })
    expect(external({ wasChallenged: false, transStatus: 'A', eci: '06' })).toEqual({
      mpiData: { threeDSVersion: '2.2.0', eci: '06', cavv, directoryResponse: 'A', dsTransID: EXTERNAL.dsTransId },
    })
    expect(external({ version: '1.0.2', xid: 'TUFaRDNrT2pHSk94', dsTransId: null })).toEqual({
      mpiData: {
        threeDSVersion: '1.0.2',
        eci: '05',
        cavv,
        directoryResponse: 'Y',
        authenticationResponse: 'Y',
        xid: 'TUFaRDNrT2pHSk94',
      },
    })
    expect(fieldsOf({ ...NOBODY_TO_ACT, external: EXTERNAL }, true)).toHaveProperty('mpiData')
  })
})
