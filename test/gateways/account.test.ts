import { describe, expect, test } from '@jest/globals'
import { type AccountField, accountFields, findAccountProblems } from '../../src/gateways/account.ts'
import { ADYEN } from '../../src/gateways/adyen/account.ts'
import { GATEWAYS } from '../../src/gateways/installed.ts'
import { SIMULATOR } from '../../src/gateways/simulator/account.ts'
import { SETTING_NAMES } from '../../src/gateways/simulator/settings.ts'

const LANGUAGES = ['en', 'de', 'fr'] as const

const textsOf = (field: AccountField) => [
  field.label,
  field.says,
  ...(field.form ? [field.form.says] : []),
  ...(field.choices ?? []).map(({ label }) => label),
]

describe.each(GATEWAYS.map((gateway) => [gateway.displayName, gateway] as const))('the fields of %s', (_, gateway) => {
  const { credentials, settings } = accountFields(gateway)
  const { notifications } = gateway

  test('are told in every language of the dashboard', () => {
    const steps = notifications === null ? [] : [...notifications.steps, notifications.otherwise]
    for (const text of [...Object.values({ ...credentials, ...settings }).flatMap(textsOf), ...steps])
      for (const language of LANGUAGES) expect([text.en, text[language]]).toEqual([text.en, expect.stringMatching(/./)])
  })

  test('are those that the rest of its description names', () => {
    const of = (names: readonly string[], fields: object) => names.filter((name) => !Object.hasOwn(fields, name))
    expect(of([...gateway.accountSettings, ...gateway.publicSettings], settings)).toEqual([])
    expect(of([...gateway.callKeys, ...(notifications ? [notifications.proof] : [])], credentials)).toEqual([])
  })
})

test('the simulator describes each setting that it reads', () => {
  expect(Object.keys(accountFields(SIMULATOR).settings).toSorted()).toEqual([...SETTING_NAMES].toSorted())
})

test.each([
  [
    'of every field at once',
    { credentials: { hmacKey: 'short' }, settings: { environment: 'production', timeout_ms: '5', cardData: 'none' } },
    [
      ['credentials.apiKey', 'is missing'],
      ['credentials.hmacKey', 'must be 64 hexadecimal digits'],
      ['settings.merchantAccount', 'is missing'],
      ['settings.environment', 'must be live'],
      ['settings.liveEndpointUrlPrefix', 'is missing'],
      ['settings.returnUrl', 'is missing'],
      ['settings.cardData', 'must be raw'],
      ['settings.timeout_ms', 'must be a whole number from 1000 to 15000'],
    ],
  ],
  [
    'of values of the other environment, and in the wrong place',
    {
      credentials: { apiKey: 'k', merchantAccount: 'Shop' },
      settings: { environment: 'test', returnUrl: 'https://a.example', liveEndpointUrlPrefix: 'a b', aipKey: 'k' },
    },
    [
      ['credentials.merchantAccount', 'belongs to settings: send it as settings.merchantAccount'],
      ['settings.aipKey', expect.stringMatching(/^is not known: this gateway takes merchantAccount, /)],
      ['settings.merchantAccount', 'is missing'],
      ['settings.environment', 'must be live in the live environment'],
      ['settings.liveEndpointUrlPrefix', "must be the prefix of the company's own hosts"],
    ],
  ],
])('the problems %s are told, each at its field', (_, account, problems) => {
  const found = findAccountProblems(ADYEN, { environment: 'live', ...account } as never)
  expect(found.map(({ path, message }) => [path, message])).toEqual(problems)
})
