import { inspect } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import {
  type Exchange,
  FIXTURES,
  type Flow,
  flowNamed,
  type NextSource,
  readingOfInvoice,
} from '../../test/wire-fixtures.ts'
import { decodeBase64, encodeBase64 } from '../src/base64.ts'
import {
  type CustomerAction,
  challengeSource,
  deviceDataSource,
  fingerprintTimedOutSource,
  readAction,
} from '../src/customer-actions.ts'
import { errorOf } from '../src/errors.ts'
import {
  type AuthorizationRequest,
  type AuthorizedInvoice,
  createBrowserService,
  HoldfastClient,
  isEndedBy,
  PaymentError,
  type ThreeDSAuthenticationRequest,
  type ThreeDSService,
  type Timing,
  tokenFrom,
} from '../src/index.ts'
import { bodyOf } from '../src/request.ts'
import { isAndroidReturnUrl, isIosReturnUrl, isToken, returnUrlProblem } from '../src/return-url.ts'
import { startScriptedServer } from './scripted-server.ts'
import { createScriptedService } from './scripted-service.ts'

const REQUEST: AuthorizationRequest = { invoiceId: 'iv_fixture', source: FIXTURES.flow_defaults.request.source }

/** Short enough for a test, with as many attempts as the fixtures have. */
const TIMING: Timing = {
  attempts: FIXTURES.flow_defaults.attempts,
  firstPauseMs: 1,
  longestPauseMs: 2,
  longestRetryAfterMs: 5_000,
  requestTimeoutMs: 10_000,
  pollForMs: 60_000,
  fingerprintTimeoutMs: 100,
}

/** What an app must find in no log. */
const SECRETS = ['card_fixture', 'ivs_fixture', 'gway_req_', 'c2lnbmF0dXJl', 'ZGV2aWNl']

/** For a payment that stays pending. */
const POLL_FOR_MS = 250

interface Setting {
  clientSecret?: string | undefined
  timing?: Timing
}

async function withServer<T>(
  exchanges: readonly Exchange[],
  use: (client: HoldfastClient, problems: () => string[]) => Promise<T>,
  { clientSecret, timing = TIMING }: Setting = {},
): Promise<T> {
  const server = await startScriptedServer(exchanges, clientSecret)
  try {
    const client = new HoldfastClient({ projectId: FIXTURES.protocol.project_id, baseUrl: server.baseUrl, timing })
    return await use(client, server.problems)
  } finally {
    await server.close()
  }
}

/** How a payment ended, in the words of the fixtures. */
function endOf(paid: Promise<AuthorizedInvoice>): Promise<Flow['result']> {
  return paid.then(
    ({ transaction, customerTokenId }) => ({
      kind: 'paid',
      status: transaction.status,
      ...(customerTokenId === null ? {} : { customer_token_id: customerTokenId }),
    }),
    (error: unknown) => {
      if (!(error instanceof PaymentError)) throw error
      for (const secret of SECRETS) expect(inspect(error, { depth: 9 })).not.toContain(secret)
      const { kind, errorType, retryAfterSeconds } = error
      const retryAfter = (retryAfterSeconds ?? 0) > 0 ? { retry_after_seconds: Number(retryAfterSeconds) } : {}
      return { kind, error_type: errorType, ...retryAfter }
    },
  )
}

describe('a payment against a server that expects exactly its requests:', () => {
  test.each(FIXTURES.flows)('$name', async (flow) => {
    const { request, invoice, service: script } = flow
    const { service, calls } = createScriptedService(script)
    const startedAt = performance.now()
    await withServer(
      [readingOfInvoice(invoice), ...flow.exchanges],
      async ({ invoices }, problems) => {
        const options = {
          ...REQUEST,
          ...(request.client_secret === undefined ? {} : { clientSecret: request.client_secret }),
          ...(request.authorize_only === undefined ? {} : { authorizeOnly: request.authorize_only }),
          ...(request.save_source === undefined ? {} : { saveSource: request.save_source }),
        }
        const result = await endOf(invoices.authorizeInvoice(options, service))
        expect({ result, problems: problems(), calls }).toEqual({
          result: flow.result,
          problems: [],
          calls: flow.calls,
        })
      },
      {
        clientSecret: request.client_secret,
        timing: flow.result.kind === 'pending' ? { ...TIMING, pollForMs: POLL_FOR_MS } : TIMING,
      },
    )
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual((flow.waits_seconds ?? 0) * 1000)
  })
})

describe('an action of the fixtures', () => {
  const actions = FIXTURES.actions.filter(({ client }) => client === 'app')

  test.each(actions)('is read: $name', ({ customer_action: given, decoded }) => {
    const action = readAction(given)
    switch (action.kind) {
      case 'native fingerprint':
        expect({
          directoryServerID: action.configuration.directoryServerId,
          directoryServerPublicKey: action.configuration.directoryServerPublicKey,
          directoryServerRootCAs: action.configuration.directoryServerRootCAs,
          threeDSServerTransID: action.configuration.threeDSServerTransactionId,
          messageVersion: action.configuration.messageVersion,
          scheme: action.configuration.scheme,
        }).toEqual(decoded)
        break
      case 'native challenge':
        expect({
          acsTransID: action.challenge.acsTransactionId,
          acsReferenceNumber: action.challenge.acsReferenceNumber,
          acsSignedContent: action.challenge.acsSignedContent,
          threeDSServerTransID: action.challenge.threeDSServerTransactionId,
        }).toEqual(decoded)
        break
      default:
        expect(action).toMatchObject({ kind: 'page', url: given.value, isFingerprint: given.type === 'fingerprint' })
    }
  })

  test.each(
    actions.flatMap((row) => row.next_sources.map((next) => ({ name: row.name, row, next, after: next.after }))),
  )('has its next source: $name, $after', ({ row, next }) => {
    expect(nextSource(readAction(row.customer_action), next)).toBe(next.source)
  })

  test.each(FIXTURES.broken_actions)('is not guessed at: $name', ({ customer_action: action }) => {
    expect(readAction(action).kind).toBe('unreadable')
  })

  test.each(FIXTURES.broken_device_data)('gets no device data without a whole key: $name', ({ given }) => {
    expect(deviceDataSource(given)).toBeNull()
  })
})

/** Null where the first source is sent again. */
function nextSource(action: CustomerAction, { after, given }: NextSource): string | null {
  switch (after) {
    case 'device data':
      return deviceDataSource(given as ThreeDSAuthenticationRequest)
    case 'challenge passed':
      return challengeSource(true)
    case 'challenge failed':
      return challengeSource(false)
    case 'timed out':
      return fingerprintTimedOutSource(action.kind === 'page' ? action.url : '')
    case 'canceled':
      return action.canceledSource
    default:
      return isToken(String(given?.token)) ? String(given?.token) : null
  }
}

describe('base64', () => {
  test.each(['', 'a', 'ab', 'abc', 'Überprüfung ✓', '𝄞', '\u0000\u007f\u0080', '{"a":"/+"}'])(
    'goes there and back: %j',
    (text) => {
      const encoded = Buffer.from(text).toString('base64')
      expect(encodeBase64(text)).toBe(encoded)
      for (const form of [encoded, encoded.replace(/=+$/, ''), Buffer.from(text).toString('base64url')])
        expect(decodeBase64(form)).toBe(text)
    },
  )

  test.each(['%%%', 'a', 'abcde', 'a b', '/w=='])('that is none, or no text, is not guessed at: %j', (encoded) => {
    expect(decodeBase64(encoded)).toBeNull()
  })
})

describe('a request', () => {
  test.each(FIXTURES.requests)('has its fields in their order: $name', ({ options, body_text: text }) => {
    const {
      source,
      authorize_only: authorizeOnly,
      auto_capture_at: autoCaptureAt,
      capture_amount: captureAmount,
      preferred_scheme: preferredScheme,
      incremental,
      invoice_detail_ids: invoiceDetailIds,
      override_mac_blocking: overrideMacBlocking,
      initial_scheme_transaction_id: initialSchemeTransactionId,
      allow_fallback_to_sale: allowFallbackToSale,
      save_source: saveSource,
      ...others
    } = options
    expect(others).toEqual({})
    const request = {
      ...{ source, authorizeOnly, autoCaptureAt, captureAmount, preferredScheme, incremental, invoiceDetailIds },
      ...{ overrideMacBlocking, initialSchemeTransactionId, allowFallbackToSale, saveSource },
    }
    expect(bodyOf({ invoiceId: 'iv_fixture', ...request } as AuthorizationRequest, String(source))).toBe(text)
  })

  test.each([
    ['a card number', { source: '4242424242424242' }],
    ['a card number in groups', { source: '4242 4242 4242 4242' }],
    ['a source of another form', { source: 'iv_fixture' }],
    ['another path', { invoiceId: 'iv_fixture/capture' }],
    ['no invoice', { invoiceId: '' }],
    ['a card to be saved without the client secret', { saveSource: true }],
  ])('with %s is refused before anything is sent, and nothing of it is repeated', async (_, wrong) => {
    await withServer([], async ({ invoices }, problems) => {
      const { service, calls } = createScriptedService()
      const refused = await invoices.authorizeInvoice({ ...REQUEST, ...wrong }, service).catch((error) => error)
      expect(refused).toMatchObject({ kind: 'invalid-request' })
      expect(inspect(refused)).not.toContain('4242')
      expect(calls).toEqual(['cleanup'])
      expect(problems()).toEqual([])
    })
  })

  test.each(FIXTURES.errors)('that ends with $status $error_type: $kind', ({ status, error_type, kind }) => {
    const answer = { error_type, message: 'No.', request_id: null, outcome: null, invalid_fields: [] }
    expect(errorOf(status, answer, null).kind).toBe(kind)
  })
})

describe('a client', () => {
  test.each([
    ['key_live_abc', 'https://api.example.com'],
    ['proj_a:key_live_abc', 'https://api.example.com'],
    ['proj_a', 'http://api.example.com'],
    ['proj_a', 'api.example.com'],
    ['proj_a', 'https://user:password@api.example.com'],
  ])('is not made for %s at %s', (projectId, baseUrl) => {
    expect(() => new HoldfastClient({ projectId, baseUrl })).toThrow(PaymentError)
    expect(() => new HoldfastClient({ projectId, baseUrl })).not.toThrow(/key_live_abc|password/)
  })
})

describe('the return_url', () => {
  const invoice = (returnUrl: string | null, channel: string) => ({
    ...{ id: 'iv_fixture', name: null, amount: null, currency: null, status: 'pending', transaction: null },
    ...{ returnUrl, channel },
  })

  test.each(FIXTURES.return_urls)('$return_url', ({ return_url: url, android, ios }) => {
    expect(isAndroidReturnUrl(url ?? '')).toBe(android)
    expect(isIosReturnUrl(url ?? '')).toBe(ios)
    const callback = url?.startsWith('https') ? { host: 'shop.example', path: '/return' } : undefined
    expect(returnUrlProblem(invoice(url, 'android'), undefined) === null).toBe(android)
    expect(returnUrlProblem(invoice(url, 'ios'), callback) === null).toBe(ios)
    // Such an invoice may be for either platform.
    expect(returnUrlProblem(invoice(url, 'web'), callback) === null).toBe(android || ios)
  })

  test.each([
    ['com.example.shop://checkout/return', 'com.example.shop', true],
    ['com.example.shop://checkout/return', 'COM.example.shop', true],
    ['com.example.shop://checkout/return', 'com.example', false],
    ['com.example.shop://checkout/return', { host: 'checkout', path: '/return' }, false],
    ['https://shop.example/return', { host: 'shop.example', path: '/return' }, true],
    ['https://shop.example/return', { host: 'shop.example', path: '/' }, false],
    ['https://shop.example', { host: 'shop.example', path: '/' }, true],
    ['https://shop.example.evil.example/return', { host: 'shop.example', path: '/return' }, false],
    ['https://shop.example/return', 'https', false],
    ['https://shop.example/return', undefined, false],
  ])('%s and the callback %j', (url, callback, fits) => {
    expect(returnUrlProblem(invoice(url, 'ios'), callback) === null).toBe(fits)
  })

  test.each(FIXTURES.returns)('$return_url, opened as $opened', ({ return_url: returnUrl, opened, is_ours, token }) => {
    const redirect = { returnUrl, invoiceId: 'iv_fixture' }
    expect(isEndedBy(redirect, opened)).toBe(is_ours)
    if (is_ours) expect(tokenFrom(redirect, opened)).toBe(token)
    else expect(() => tokenFrom(redirect, opened)).toThrow('return_url')
  })
})

describe('two calls for one invoice', () => {
  const [asks, answers] = flowNamed('pending after a challenge').exchanges
  const EXCHANGES = [readingOfInvoice(), asks, { ...answers, answer: 'authorized' }] as Exchange[]

  /** Shows a challenge until the test lets it end. */
  function openChallenge() {
    const shown = Promise.withResolvers<void>()
    const result = Promise.withResolvers<boolean>()
    const calls: string[] = []
    const { service } = createScriptedService()
    const handleChallenge = () => {
      shown.resolve()
      return result.promise
    }
    const open: ThreeDSService = { ...service, handleChallenge, cleanup: () => void calls.push('cleanup') }
    return { service: open, calls, shown: shown.promise, pass: () => result.resolve(true) }
  }

  test('are one payment where they are equal, with one cleanup for each service', async () => {
    await withServer(EXCHANGES, async ({ invoices }, problems) => {
      const [one, other] = [openChallenge(), openChallenge()]
      const first = invoices.authorizeInvoice(REQUEST, one.service)
      const second = invoices.authorizeInvoice({ ...REQUEST }, one.service)
      await one.shown
      const third = invoices.authorizeInvoice({ ...REQUEST }, other.service)
      one.pass()
      expect(await second).toBe(await first)
      expect(await third).toBe(await first)
      expect([one.calls, other.calls, problems()]).toEqual([['cleanup'], ['cleanup'], []])
    })
  })

  test('are refused the second time where they are not', async () => {
    await withServer(EXCHANGES, async ({ invoices }, problems) => {
      const [one, other] = [openChallenge(), openChallenge()]
      const first = invoices.authorizeInvoice(REQUEST, one.service)
      await one.shown
      const another = { ...REQUEST, source: 'card_other' }
      const refused = { kind: 'in-progress' }
      await expect(invoices.authorizeInvoice(another, other.service)).rejects.toMatchObject(refused)
      await expect(invoices.authorizeInvoice(another, one.service)).rejects.toMatchObject(refused)
      expect([one.calls, other.calls]).toEqual([[], ['cleanup']])
      one.pass()
      expect((await first).transaction.status).toBe('authorized')
      expect([one.calls, problems()]).toEqual([['cleanup'], []])
    })
  })
})

describe('a browser service', () => {
  const [challenge] = flowNamed('challenge in a browser session, with a token').service.redirects ?? []
  const timedOut = flowNamed('fingerprint in a browser session, timed out')

  test('opens the page and comes back with the token', async () => {
    const flow = flowNamed('challenge in a browser session, with a token')
    const opened: string[][] = []
    const service = createBrowserService({
      async openBrowser(...addresses) {
        opened.push(addresses)
        return { type: 'success', url: challenge ?? null }
      },
    })
    await withServer([readingOfInvoice(), ...flow.exchanges], async ({ invoices }, problems) => {
      expect((await invoices.authorizeInvoice(REQUEST, service)).transaction.status).toBe('authorized')
      expect(problems()).toEqual([])
    })
    expect(opened).toEqual([
      ['https://api.holdfast.example/three-d-s/iv_fixture/act_fixture', 'com.example.shop://checkout/return'],
    ])
  })

  test('closes a fingerprint whose time is up, and the payment goes on', async () => {
    const closed: string[] = []
    const service = createBrowserService({
      openBrowser: () => new Promise(() => {}),
      closeBrowser: () => void closed.push('closed'),
    })
    await withServer([readingOfInvoice(), ...timedOut.exchanges], async ({ invoices }, problems) => {
      expect((await invoices.authorizeInvoice(REQUEST, service)).transaction.status).toBe('authorized')
      expect(problems()).toEqual([])
    })
    // Once for the time that was up, and once for the cleanup.
    expect(closed).toEqual(['closed', 'closed'])
  })
})
