import { describe, expect, test } from '@jest/globals'
import { authenticationOf } from '../../../src/gateways/adyen/authentication-result.ts'
import type { Continuation } from '../../../src/gateways/adyen/continuation.ts'
import { approvalOf, paymentOutcome } from '../../../src/gateways/adyen/outcomes.ts'
import { expectWholeAuthentication } from '../contract-authentication.ts'

const DATA = {
  threeDOffered: 'true',
  threeDOfferedResponse: 'C',
  threeDAuthenticated: 'true',
  threeDAuthenticatedResponse: 'Y',
  threeDSVersion: '2.2.0',
  eci: '05',
  dsTransID: 'a3b86754-444d-46ca-95a2-ada351d3f42c',
  liabilityShift: 'true',
}

const CHALLENGED: Continuation = {
  step: 'challenge',
  reference: 'tr_op_1',
  paymentData: null,
  authorisationToken: 'token',
  threeDSServerTransID: 'server-1',
  acsTransID: 'acs-1',
  messageVersion: '2.1.0',
  threeDSCompInd: 'N',
}

const read = (data: object, known: Continuation | null = null, reason: string | null = null) =>
  authenticationOf(data as Readonly<Record<string, unknown>>, {}, reason, known)

describe('the authentication that Adyen reports', () => {
  test.each<[string, object]>([
    ['nothing', {}],
    [
      'that none was offered',
      { threeDOffered: 'false', threeDOfferedResponse: 'N/A', threeDAuthenticatedResponse: 'N/A' },
    ],
    ['no version', { ...DATA, threeDSVersion: undefined }],
    ['a version that is none', { ...DATA, threeDSVersion: 'latest' }],
    ['a version of another type', { ...DATA, threeDSVersion: 2.2 }],
  ])('is left out if it reports %s', (_, data) => {
    expect(read(data)).toBeNull()
  })

  test.each<[object, object]>([
    [{}, { status: 'authenticated', aresTransStatus: 'C', cresTransStatus: 'Y', wasChallenged: true }],
    [
      { threeDOfferedResponse: 'Y' },
      { status: 'authenticated', aresTransStatus: 'Y', cresTransStatus: null, wasChallenged: false },
    ],
    [
      { threeDOfferedResponse: 'A', threeDAuthenticatedResponse: 'A', eci: '06' },
      { status: 'attempted', aresTransStatus: 'A', eci: '06' },
    ],
    [{ threeDAuthenticatedResponse: 'N' }, { status: 'failed', cresTransStatus: 'N' }],
    [
      { threeDOfferedResponse: 'R', threeDAuthenticatedResponse: 'R' },
      { status: 'rejected', aresTransStatus: 'R' },
    ],
    [{ threeDOfferedResponse: 'U', threeDAuthenticatedResponse: 'U' }, { status: 'unavailable' }],
    [{ threeDOfferedResponse: 'I', threeDAuthenticatedResponse: 'I' }, { status: 'unavailable' }],
    [{ threeDAuthenticatedResponse: 'N/A', threeDAuthenticated: 'false' }, { status: 'unavailable' }],
    [
      { threeDOfferedResponse: 'N/A', threeDAuthenticatedResponse: 'N/A' },
      { status: 'authenticated', aresTransStatus: null, cresTransStatus: null },
    ],
    [
      { threeDSVersion: '1.0.2', threeDOfferedResponse: 'Y', dsTransID: 'N/A' },
      { version: '1.0.2', status: 'authenticated', aresTransStatus: null, cresTransStatus: null, dsTransId: null },
    ],
    [
      { eci: 'N/A', dsTransID: '' },
      { eci: null, dsTransId: null },
    ],
  ])('is read from %j', (changes, result) => {
    const authentication = read({ ...DATA, ...changes })

    expect(authentication).toMatchObject(result)
    if (authentication !== null) expectWholeAuthentication(authentication)
  })

  test.each(['false', 'TRUE', '1', true, undefined])('shifts no liability by the word %p', (liabilityShift) => {
    expect(read({ ...DATA, liabilityShift })).toMatchObject({ status: 'authenticated', hasLiabilityShift: false })
  })

  test('is completed by what the actions have told', () => {
    const { threeDSVersion: _, ...data } = DATA

    expect(read(data, CHALLENGED)).toMatchObject({
      version: '2.1.0',
      serverTransId: 'server-1',
      fingerprintCompleted: false,
      wasChallenged: true,
    })
    expect(read(data, { ...CHALLENGED, threeDSCompInd: 'U' })).toMatchObject({ fingerprintCompleted: null })
  })

  test('has failed where that is the reason of the refusal, whatever else is reported', () => {
    expect(read({}, CHALLENGED, '11')).toMatchObject({ version: '2.1.0', status: 'failed', hasLiabilityShift: false })
    expect(read({ ...DATA, liabilityShift: 'false' }, null, '11')).toMatchObject({ status: 'failed' })
    expect(read({ ...DATA, threeDAuthenticatedResponse: 'R' }, null, '11')).toMatchObject({ status: 'rejected' })
    expect(read({}, null, '11')).toBeNull()
  })

  test('is read from the result of version 2 where the additional data is not switched on', () => {
    const result = {
      ...{ messageVersion: '2.2.0', transStatus: 'Y', eci: '02', dsTransID: 'ds-1' },
      threeDSServerTransID: 'server-2',
    }

    expect(authenticationOf({}, result, null, null)).toMatchObject({
      ...{ version: '2.2.0', status: 'authenticated', eci: '02', dsTransId: 'ds-1', serverTransId: 'server-2' },
      hasLiabilityShift: false,
    })
  })

  test('is in approvals and declines, of answers and of notifications', () => {
    const amount = { value: 2_900, currency: 'EUR' }
    const answer = { pspReference: 'PSP1', amount, additionalData: DATA }

    expect(paymentOutcome({ ...answer, resultCode: 'Authorised' })).toMatchObject({
      kind: 'approved',
      authentication: { hasLiabilityShift: true },
    })
    expect(paymentOutcome({ ...answer, resultCode: 'Refused', refusalReasonCode: '12' })).toMatchObject({
      code: 'card.no-money',
      authentication: { status: 'authenticated' },
    })
    expect(approvalOf(answer)).toMatchObject({ authentication: { version: '2.2.0' } })
    expect(approvalOf({ pspReference: 'PSP1', amount })).not.toHaveProperty('authentication')
  })
})
