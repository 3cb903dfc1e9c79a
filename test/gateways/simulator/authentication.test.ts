import { describe, expect, test } from '@jest/globals'
import type { AuthenticationRequest, AuthenticationResult } from '../../../domain/authentication.ts'
import type { RequestedAction } from '../../../domain/customer-action.ts'
import type { Outcome } from '../../../domain/operation.ts'
import type { AuthorizeRequest } from '../../../src/gateways/gateway.ts'
import { findTestCard, SCENARIOS } from '../../../src/gateways/simulator/test-cards.ts'
import { actionIn, patience, simulatorForFile, withCustomer } from '../simulator-fixture.ts'

/** What the merchant asks for, and who is there. */
const SITUATIONS = {
  'customer there': {},
  required: { isRequired: true },
  'challenge wanted': { challengeIndicator: 'challenge-requested' },
  'challenge mandated': { challengeIndicator: 'challenge-requested-mandate' },
  'no challenge wanted': { challengeIndicator: 'no-challenge-requested' },
  exempt: { exemption: 'low-value' },
  'required, exempt': { isRequired: true, exemption: 'low-value' },
  'challenge wanted, exempt': { challengeIndicator: 'challenge-requested', exemption: 'low-value' },
  'all wanted, exempt': { isRequired: true, challengeIndicator: 'challenge-requested-mandate', exemption: 'low-value' },
  ios: { channel: 'ios' },
  'ios, required': { channel: 'ios', isRequired: true },
  'android, required': { channel: 'android', isRequired: true },
  'nobody there': { isPossible: false, returnUrl: null },
  'nobody there, required': { isPossible: false, returnUrl: null, isRequired: true },
  'no way back, required': { returnUrl: null, isRequired: true },
  'by the merchant': {},
  'by the merchant, required': { isRequired: true },
} as const satisfies Record<string, Partial<AuthenticationRequest>>
type Situation = keyof typeof SITUATIONS

const CHALLENGED = 'authenticated 2.2.0 C/Y 05 shifted'
const FRICTIONLESS = 'authenticated 2.2.0 Y/- 05 shifted'
const OF_VERSION_1 = 'authenticated 1.0.2 -/Y 05 shifted'
const FAILED = 'card.failed-3ds, failed 2.2.0 C/N 07'

/**
 * Card or scenario of a cardholder's name, situation, and what follows while the customer does everything right: the
 * actions, the outcome, and how the customer was authenticated, with both answers of the issuer and the indicator.
 */
const STORIES: readonly [card: string, situation: Situation, story: string][] = [
  ['4000000000000101', 'customer there', `redirect > approved, ${CHALLENGED}`],
  ['4000000000000101', 'required', `redirect > approved, ${CHALLENGED}`],
  ['4000000000000101', 'required, exempt', `redirect > approved, ${CHALLENGED}`],
  ['4000000000000101', 'ios', `fingerprint-mobile, challenge-mobile > approved, ${CHALLENGED}`],
  ['4000000000000101', 'nobody there', '> card.needs-authentication'],
  ['4000000000000101', 'no way back, required', '> card.needs-authentication'],
  ['4000000000000101', 'by the merchant', '> card.needs-authentication'],
  ['4000000000000119', 'customer there', '> approved'],
  ['4000000000000119', 'challenge wanted', '> approved'],
  ['4000000000000119', 'required', '> card.unsupported-3ds'],
  ['4000000000000119', 'nobody there, required', '> card.unsupported-3ds'],
  ['4000000000000119', 'by the merchant, required', '> approved'],
  ['4000000000000259', 'customer there', '> approved'],
  ['4000000000000259', 'required', `redirect > approved, ${CHALLENGED}`],
  ['4000000000000259', 'challenge wanted', `redirect > approved, ${CHALLENGED}`],
  ['4000000000000259', 'required, exempt', `> approved, ${FRICTIONLESS}`],
  ['4000000000000259', 'android, required', `fingerprint-mobile, challenge-mobile > approved, ${CHALLENGED}`],
  ['4000000000000259', 'nobody there', '> approved'],
  ['4000000000000259', 'nobody there, required', '> card.needs-authentication'],
  ['4000000000003238', 'customer there', '> approved'],
  ['4000000000003238', 'required', `url > approved, ${OF_VERSION_1}`],
  ['4000000000003238', 'required, exempt', `url > approved, ${OF_VERSION_1}`],
  ['4000000000003238', 'ios, required', `url > approved, ${OF_VERSION_1}`],
  ['4000000000003055', 'customer there', `> approved, ${FRICTIONLESS}`],
  ['4000000000003055', 'challenge mandated', `> approved, ${FRICTIONLESS}`],
  ['4000000000003055', 'ios', `fingerprint-mobile > approved, ${FRICTIONLESS}`],
  ['4000000000003055', 'nobody there', '> approved'],
  ['4000000000003063', 'customer there', `fingerprint > approved, ${FRICTIONLESS} fingerprinted`],
  ['4000000000003063', 'exempt', `fingerprint > approved, ${FRICTIONLESS} fingerprinted`],
  ['4000000000003063', 'by the merchant', '> approved'],
  ['4000000000003220', 'customer there', `fingerprint, redirect > approved, ${CHALLENGED} not fingerprinted`],
  ['4000000000003220', 'exempt', `fingerprint, redirect > approved, ${CHALLENGED} not fingerprinted`],
  ['4000000000003220', 'ios', `fingerprint-mobile, challenge-mobile > approved, ${CHALLENGED}`],
  ['4000000000003220', 'nobody there', '> approved'],
  ['4000000000003253', 'customer there', `redirect > approved, ${CHALLENGED}`],
  ['4000000000003253', 'nobody there', '> card.needs-authentication'],
  ['4000000000003253', 'by the merchant', '> approved'],
  ['4000000000003253', 'by the merchant, required', '> approved'],
  ['4000000000003246', 'customer there', `url > approved, ${OF_VERSION_1}`],
  ['4000000000003246', 'ios', `url > approved, ${OF_VERSION_1}`],
  ['4000000000003246', 'by the merchant', '> card.needs-authentication'],
  ['4000000000007122', 'customer there', '> approved, attempted 2.2.0 A/- 06 shifted'],
  ['4000000000007122', 'android, required', 'fingerprint-mobile > approved, attempted 2.2.0 A/- 06 shifted'],
  ['4000000000007130', 'customer there', `redirect > ${FAILED}`],
  ['4000000000007130', 'ios', `fingerprint-mobile, challenge-mobile > ${FAILED}`],
  ['4000000000007130', 'nobody there', '> card.needs-authentication'],
  ['three-d-s-unavailable', 'customer there', '> approved, unavailable 2.2.0 U/- 07'],
  ['three-d-s-unavailable', 'required', '> card.failed-3ds-technical, unavailable 2.2.0 U/- 07'],
  ['three-d-s-unavailable', 'nobody there', '> approved'],
  ['three-d-s-failed', 'customer there', '> card.failed-3ds, failed 2.2.0 N/- 07'],
  ['three-d-s-rejected', 'customer there', '> card.failed-3ds, rejected 2.2.0 R/- 07'],
  ['three-d-s-full-page', 'customer there', `url (full page) > approved, ${CHALLENGED}`],
  ['three-d-s-full-page', 'ios', `url (full page) > approved, ${CHALLENGED}`],
  ['three-d-s-declined-after', 'customer there', `redirect > card.do-not-honor, ${CHALLENGED}`],
  ['4242424242424242', 'customer there', '> approved'],
  ['4242424242424242', 'ios', '> approved'],
  ['4242424242424242', 'no challenge wanted', '> approved'],
  ['4242424242424242', 'challenge wanted, exempt', '> approved'],
  ['4242424242424242', 'nobody there, required', '> card.needs-authentication'],
  ['4242424242424242', 'no way back, required', '> card.needs-authentication'],
  ['4242424242424242', 'by the merchant, required', '> approved'],
  ['4242424242424242', 'required', `> approved, ${FRICTIONLESS}`],
  ['4242424242424242', 'ios, required', `fingerprint-mobile > approved, ${FRICTIONLESS}`],
  ['4242424242424242', 'all wanted, exempt', `> approved, ${FRICTIONLESS}`],
  ['4242424242424242', 'challenge wanted', `redirect > approved, ${CHALLENGED}`],
  ['4242424242424242', 'challenge mandated', `redirect > approved, ${CHALLENGED}`],
  ['4000000000002180', 'required', `> card.do-not-honor, ${FRICTIONLESS}`],
  ['4000000000002180', 'challenge wanted', `redirect > card.do-not-honor, ${CHALLENGED}`],
  ['5555555555554444', 'required', '> approved, authenticated 2.2.0 Y/- 02 shifted'],
  ['378282246310005', 'required', `> approved, ${FRICTIONLESS}`],
  ['30123456789019', 'required', `> approved, ${FRICTIONLESS}`],
  ['3530111333300000', 'required', `> approved, ${FRICTIONLESS}`],
  ['5130290000000009', 'challenge wanted', 'redirect > approved, authenticated 2.2.0 C/Y 02 shifted'],
]

const simulator = simulatorForFile('authentication')

describe('a customer of the simulator who does everything right', () => {
  const requestFor = (card: string, situation: Situation): AuthorizeRequest => {
    const isNamed = card.startsWith('three-d-s')
    const number = isNamed ? '4242424242424242' : card
    return simulator.requestOf(number, {
      ...(isNamed && simulator.named(card)),
      scheme: findTestCard(number)?.scheme ?? null,
      isMerchantInitiated: situation.startsWith('by the merchant'),
      authentication: withCustomer(SITUATIONS[situation]),
    })
  }

  test.each(STORIES)('%s, %s: %s', async (card, situation, story) => {
    const request = requestFor(card, situation)
    const actions: RequestedAction[] = []
    let outcome = await simulator.gateway.authorize(request, patience())
    while (outcome.kind === 'action-required') {
      const action = actionIn(outcome)
      actions.push(action)
      outcome = await simulator.goOn(request, action, await simulator.act(action))
    }

    expect(storyOf(actions, outcome)).toBe(story)
    const { requests, authorizations } = await simulator.readLog({ invoiceId: request.invoiceId })
    expect(requests).toMatchObject([{ outcome, timesAsked: 1 }])
    expect(authorizations).toHaveLength(outcome.kind === 'approved' ? 1 : 0)
    expect(await simulator.lookUp(request.reference)).toEqual({ kind: 'found', outcome })
  })

  test('is told of every scenario of 3-D Secure', () => {
    const told = new Set(STORIES.map(([card]) => findTestCard(card)?.scenario ?? card))
    // It never ends, and has a test of its own.
    told.add('three-d-s-endless')
    for (const key of Object.keys(SCENARIOS).filter((name) => name.startsWith('three-d-s'))) expect(told).toContain(key)
  })

  test('is asked again and again by a bank that never has enough', async () => {
    const request = requestFor('three-d-s-endless', 'customer there')
    const seen = new Set<string>()
    let outcome = await simulator.gateway.authorize(request, patience())
    for (let count = 0; count < 8; count += 1) {
      const action = actionIn(outcome)
      expect(action.type).toBe('redirect')
      seen.add(action.continuation)
      outcome = await simulator.goOn(request, action, await simulator.act(action))
    }

    expect(seen.size).toBe(8)
    expect((await simulator.readLog({ invoiceId: request.invoiceId })).authorizations).toEqual([])
  })
})

describe('a payment whose customer the merchant has authenticated elsewhere', () => {
  const EXTERNAL = {
    version: '2.1.0',
    transStatus: 'Y',
    eci: '05',
    cavv: 'AAABBWcSNIdjeUZThmNHAAAAAAA=',
    xid: null,
    dsTransId: 'c272b04f-6e7b-43a2-bb78-90f4fb94aa25',
    wasChallenged: true,
  } as const
  const authorize = (
    number: string,
    external: AuthenticationRequest['external'],
    more: Partial<AuthorizeRequest> = {},
  ) =>
    simulator.gateway.authorize(
      simulator.requestOf(number, { authentication: withCustomer({ external, isRequired: true }), ...more }),
      patience(),
    )

  test.each(['4242424242424242', '4000000000000101', '4000000000003063', '4000000000003246', '4000000000000119'])(
    '%s is approved without an action, and its result is taken over',
    async (number) => {
      expect(await authorize(number, EXTERNAL)).toMatchObject({
        kind: 'approved',
        authentication: {
          version: '2.1.0',
          status: 'authenticated',
          aresTransStatus: 'C',
          cresTransStatus: 'Y',
          eci: '05',
          dsTransId: EXTERNAL.dsTransId,
          serverTransId: null,
          fingerprintCompleted: null,
          wasChallenged: true,
          hasLiabilityShift: true,
        },
      })
    },
  )

  test('is taken over where it was only attempted, without a challenge, or by version 1', async () => {
    expect(
      await authorize('4000000000000101', { ...EXTERNAL, transStatus: 'A', eci: '06', wasChallenged: false }),
    ).toMatchObject({ authentication: { status: 'attempted', aresTransStatus: 'A', cresTransStatus: null, eci: '06' } })
    expect(await authorize('4000000000000101', { ...EXTERNAL, version: '1.0.2', dsTransId: null })).toMatchObject({
      authentication: { version: '1.0.2', aresTransStatus: null, cresTransStatus: 'Y', dsTransId: null },
    })
  })

  test('is declined with it where the card declines anyhow, and its proof is in no row', async () => {
    expect(await authorize('4000000000002180', EXTERNAL)).toMatchObject({
      kind: 'declined',
      code: 'card.do-not-honor',
      authentication: { status: 'authenticated' },
    })
    expect(await simulator.dump()).not.toContain(EXTERNAL.cavv)
  })
})

/** `redirect > approved, authenticated 2.2.0 C/Y 05 shifted` */
function storyOf(actions: readonly RequestedAction[], outcome: Outcome): string {
  const asked = actions.map((action) =>
    action.type === 'url' && action.isFullPage ? `${action.type} (full page)` : action.type,
  )
  const end = outcome.kind === 'declined' ? outcome.code : outcome.kind
  const isFinal = outcome.kind === 'approved' || outcome.kind === 'declined'
  const authentication = isFinal ? outcome.authentication : undefined
  return [...(asked.length > 0 ? [asked.join(', ')] : []), '>', end].join(' ') + howOf(authentication)
}

function howOf(result: AuthenticationResult | undefined): string {
  if (result === undefined) return ''
  const { status, version, aresTransStatus, cresTransStatus, eci, fingerprintCompleted, hasLiabilityShift } = result
  const words = [
    status,
    version,
    `${aresTransStatus ?? '-'}/${cresTransStatus ?? '-'}`,
    eci,
    hasLiabilityShift && 'shifted',
    fingerprintCompleted === true && 'fingerprinted',
    fingerprintCompleted === false && 'not fingerprinted',
  ]
  return `, ${words.filter(Boolean).join(' ')}`
}
