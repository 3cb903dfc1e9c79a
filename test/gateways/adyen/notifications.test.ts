import { describe, expect, test } from '@jest/globals'
import { readNotification } from '../../../src/gateways/adyen/notifications.ts'
import { batch, HMAC_KEY, signed } from '../../../stand-ins/adyen/adyen.ts'
import { MERCHANT_ACCOUNT } from '../../../stand-ins/adyen/books.ts'
import { ACCESS } from './fixture.ts'
import { REASONS } from './reasons.ts'

const OTHER_KEY = '0'.repeat(64)

const itemOf = (eventCode: string, overrides: object = {}) => ({
  eventCode,
  success: 'true',
  eventDate: '2026-11-21T10:00:00+01:00',
  merchantAccountCode: MERCHANT_ACCOUNT,
  pspReference: 'STEP00000000001',
  originalReference: 'PAYMENT00000001',
  merchantReference: 'tr_op_1',
  amount: { value: 2_900, currency: 'EUR' },
  ...overrides,
})

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
const read = (items: readonly Record<string, unknown>[], access = ACCESS) =>
  readNotification(bytesOf(batch(items)), access)
const readOne = (eventCode: string, overrides: object = {}) => read([signed(itemOf(eventCode, overrides))])
const accepted = (...notifications: object[]) => ({ kind: 'accepted', notifications })

describe('a notification that is not from Adyen', () => {
  test('is refused whole where one item of it is signed with another key', () => {
    const good = signed(itemOf('CAPTURE'))

    expect(read([good, signed(itemOf('REFUND'), OTHER_KEY)])).toMatchObject({ kind: 'refused' })
    expect(read([signed(itemOf('REFUND'), OTHER_KEY), good])).toMatchObject({ kind: 'refused' })
  })

  test.each([
    ['success', 'false'],
    ['eventCode', 'REFUND'],
    ['pspReference', 'STEP00000000002'],
    ['originalReference', 'PAYMENT00000002'],
    ['merchantReference', 'tr_op_2'],
    ['merchantAccountCode', 'Another'],
    ['amount', { value: 2_901, currency: 'EUR' }],
    ['amount', { value: 2_900, currency: 'USD' }],
  ])('is refused where its %s was changed on the way', (name, value) => {
    expect(read([{ ...signed(itemOf('CAPTURE')), [name]: value }])).toMatchObject({ kind: 'refused' })
  })

  test('is refused without a signature, with a cut one, and with a malformed item', () => {
    const good = signed(itemOf('CAPTURE'))
    const { hmacSignature } = good.additionalData as { hmacSignature: string }

    expect(read([itemOf('CAPTURE')])).toMatchObject({ kind: 'refused' })
    expect(read([{ ...good, additionalData: { hmacSignature: hmacSignature.slice(0, 20) } }])).toMatchObject({
      kind: 'refused',
    })
    for (const overrides of [{ success: true }, { amount: 'EUR' }, { amount: { value: '1', currency: 'EUR' } }])
      expect(read([signed(itemOf('CAPTURE', overrides))])).toMatchObject({ kind: 'refused' })
  })

  test.each(['{"notificationItems":[]}', '{"notificationItems":[null]}'])('is refused where the body is %s', (body) => {
    expect(readNotification(new TextEncoder().encode(body), ACCESS)).toMatchObject({ kind: 'refused' })
  })

  test.each([undefined, '', 'abcd', `${'0'.repeat(63)}x`])('is refused where the key is %s', (hmacKey) => {
    const credentials = hmacKey === undefined ? {} : { hmacKey }

    const reading = readNotification(bytesOf(batch([signed(itemOf('CAPTURE'), hmacKey ?? '')])), {
      credentials,
      settings: ACCESS.settings,
    })

    expect(reading).toMatchObject({ kind: 'refused' })
  })

  test('moves nothing where a colon makes its signature mean two things, or another account is meant', () => {
    expect(readOne('CAPTURE', { merchantReference: 'tr_op_1:2900' })).toEqual(accepted())
    expect(readOne('CAPTURE', { amount: { value: 2_900, currency: 'EUR:CAPTURE' } })).toEqual(accepted())
    expect(readOne('CAPTURE', { merchantAccountCode: 'AnotherShop' })).toEqual(accepted())
  })
})

describe('a notification from Adyen', () => {
  test('is read with the key that is being replaced, too', () => {
    const access = { ...ACCESS, credentials: { apiKey: 'key', hmacKey: OTHER_KEY, previousHmacKey: HMAC_KEY } }

    expect(read([signed(itemOf('CAPTURE'))], access)).toMatchObject({ notifications: [{ kind: 'outcome' }] })
  })

  test.each([
    ['CAPTURE', 'capture'],
    ['REFUND', 'refund'],
    ['AUTHORISATION', 'authorization'],
  ])('%s tells how our %s ended', (eventCode, type) => {
    expect(readOne(eventCode)).toEqual(
      accepted({
        kind: 'outcome',
        gatewayNotificationId: `${eventCode}:STEP00000000001:true`,
        type,
        reference: 'tr_op_1',
        gatewayAuthorizationId: type === 'authorization' ? 'STEP00000000001' : 'PAYMENT00000001',
        outcome: { kind: 'approved', gatewayOperationId: 'STEP00000000001', amountMinor: 2_900, currency: 'EUR' },
      }),
    )
    expect(readOne(eventCode, { success: 'false', reason: 'Refused' })).toMatchObject({
      notifications: [
        { gatewayNotificationId: `${eventCode}:STEP00000000001:false`, type, outcome: { kind: 'declined' } },
      ],
    })
  })

  test.each(REASONS)('tells the reason %s "%s" as %s', (gatewayCode, reason, code) => {
    expect(readOne('AUTHORISATION', { success: 'false', reason })).toMatchObject({
      notifications: [{ outcome: { kind: 'declined', code, gatewayCode } }],
    })
  })

  test('of a capture is over the amount of the capture, not over that of its authorization', () => {
    const additionalData = { authorisedAmountValue: '9900', authorisedAmountCurrency: 'EUR', authCode: '1234' }

    expect(readOne('CAPTURE', { additionalData })).toMatchObject({
      notifications: [{ outcome: { amountMinor: 2_900 } }],
    })
    expect(
      readOne('AUTHORISATION', { additionalData: { ...additionalData, authorisedAmountValue: '1450' } }),
    ).toMatchObject({
      notifications: [{ outcome: { amountMinor: 1_450, authorizationCode: '1234' } }],
    })
  })

  test('of a reason that nobody has heard of guesses nothing, and of a failed refund names our reference of it', () => {
    expect(readOne('AUTHORISATION', { success: 'false', reason: 'Invented' })).toMatchObject({
      notifications: [{ outcome: { kind: 'declined', code: 'gateway.unknown-error', gatewayCode: 'Invented' } }],
    })
    expect(readOne('REFUND_FAILED')).toMatchObject({
      notifications: [{ kind: 'refund-failed', reference: 'tr_op_1' }],
    })
  })

  test('of a later step that names no payment moves nothing', () => {
    expect(readOne('CAPTURE', { originalReference: '' })).toEqual(accepted())
  })

  test('of an approval that cannot be read is unknown', () => {
    expect(readOne('AUTHORISATION', { amount: { value: 2_900, currency: 'ZZZ' } })).toMatchObject({
      notifications: [{ outcome: { kind: 'unknown' } }],
    })
  })

  test('of a cancellation is over what was to be released, whatever the payment came to', () => {
    const cancelled = (success: string) =>
      readOne('CANCELLATION', {
        merchantReference: 'tr_op_1-1900',
        amount: { value: 2_900, currency: 'EUR' },
        success,
      })

    expect(cancelled('true')).toMatchObject({
      notifications: [
        {
          ...{ type: 'void', reference: 'tr_op_1', gatewayAuthorizationId: 'PAYMENT00000001' },
          outcome: { kind: 'approved', gatewayOperationId: 'STEP00000000001', amountMinor: 1_900, currency: 'EUR' },
        },
      ],
    })
    expect(cancelled('false')).toMatchObject({
      notifications: [{ type: 'void', reference: 'tr_op_1', outcome: { kind: 'declined' } }],
    })
  })

  test('of an adjustment tells what was added, not the new total', () => {
    const adjusted = readOne('AUTHORISATION_ADJUSTMENT', {
      merchantReference: 'tr_op_1-500',
      amount: { value: 3_400, currency: 'EUR' },
    })

    expect(adjusted).toMatchObject({
      notifications: [
        { type: 'increment_authorization', reference: 'tr_op_1', outcome: { kind: 'approved', amountMinor: 500 } },
      ],
    })
    expect(readOne('AUTHORISATION_ADJUSTMENT')).toEqual(accepted())
  })

  test('of a capture that failed after all tells that it failed', () => {
    expect(readOne('CAPTURE_FAILED', { reason: 'Rejected by the scheme' })).toMatchObject({
      notifications: [
        {
          kind: 'outcome',
          type: 'capture',
          reference: 'tr_op_1',
          outcome: { kind: 'declined', gatewayCode: 'Rejected by the scheme' },
        },
      ],
    })
  })

  test.each([
    ['REQUEST_FOR_INFORMATION', 'retrieval-request'],
    ['NOTIFICATION_OF_FRAUD', 'fraud-notification'],
    ['INFORMATION_SUPPLIED', 'dispute-answered'],
    ['NOTIFICATION_OF_CHARGEBACK', 'chargeback-created'],
    ['CHARGEBACK', 'chargeback-created'],
    ['CHARGEBACK_REVERSED', 'chargeback-won'],
    ['SECOND_CHARGEBACK', 'chargeback-lost'],
    ['PREARBITRATION_WON', 'chargeback-won'],
    ['PREARBITRATION_LOST', 'chargeback-lost'],
  ])('%s is the step %s of a dispute about the payment', (eventCode, kind) => {
    expect(readOne(eventCode, { reason: 'Fraud' })).toMatchObject(
      accepted({
        gatewayAuthorizationId: 'PAYMENT00000001',
        invoiceId: null,
        kind,
        reference: null,
        amountMinor: 2_900,
        currency: 'EUR',
        reason: 'Fraud',
      }),
    )
  })

  test.each([
    ['2026-12-08T10:00:00+01:00', { evidenceDueAt: Date.parse('2026-12-08T09:00:00Z') }],
    ['soon', {}],
    [7, {}],
    [undefined, {}],
  ])('of a chargeback whose defense period ends at %p can be answered until then', (defensePeriodEndsAt, expected) => {
    const reading = readOne('CHARGEBACK', { additionalData: { defensePeriodEndsAt } })
    const [told = {}] = reading.kind === 'accepted' ? reading.notifications : []
    expect('evidenceDueAt' in told ? { evidenceDueAt: told.evidenceDueAt } : {}).toEqual(expected)
  })

  test.each([
    ['Pending', ['INFORMATION_SUPPLIED:DISPUTE0000001:true:pending']],
    ['Responded', ['INFORMATION_SUPPLIED:DISPUTE0000001:true:responded']],
    [undefined, ['INFORMATION_SUPPLIED:DISPUTE0000001:true:']],
    ['Undefended', []],
    ['Unresponded', []],
  ])('of evidence that leaves a dispute %p answers it, or not: %j', (disputeStatus, expected) => {
    const reading = readOne('INFORMATION_SUPPLIED', {
      pspReference: 'DISPUTE0000001',
      additionalData: { disputeStatus },
    })
    const read = reading.kind === 'accepted' ? reading.notifications : []
    expect(read.map(({ gatewayNotificationId }) => gatewayNotificationId)).toEqual(expected)
  })

  test('of a dispute has one id for each step, which Adyen may tell by two events', () => {
    const idOf = (eventCode: string) => {
      const reading = readOne(eventCode)
      return reading.kind === 'accepted' ? reading.notifications[0]?.gatewayNotificationId : reading.reason
    }
    expect(idOf('CHARGEBACK')).toBe('CHARGEBACK:STEP00000000001:true')
    expect(idOf('NOTIFICATION_OF_CHARGEBACK')).toBe(idOf('CHARGEBACK'))
    expect(idOf('PREARBITRATION_LOST')).toBe(idOf('SECOND_CHARGEBACK'))
    const others = ['REQUEST_FOR_INFORMATION', 'NOTIFICATION_OF_FRAUD', 'CHARGEBACK_REVERSED', 'PREARBITRATION_WON']
    expect(new Set([...others, 'CHARGEBACK', 'SECOND_CHARGEBACK'].map(idOf)).size).toBe(6)
  })

  test('about anything else is accepted and moves nothing', () => {
    expect(readOne('REPORT_AVAILABLE', { originalReference: '' })).toEqual(accepted())
    expect(readOne('SOMETHING_INVENTED')).toEqual(accepted())
    expect(readOne('CHARGEBACK', { success: 'false' })).toEqual(accepted())
  })
})
