import { describe, expect, test } from '@jest/globals'
import { errorOf, textNameOf } from '../src/errors.ts'
import { formTextsIn } from '../src/form/texts.ts'
import { readTheme } from '../src/form/theme.ts'
import { windowSizeFor } from '../src/page/window-size.ts'
import { LOCALES, localeOf, textsIn } from '../src/texts.ts'

describe('a theme', () => {
  test('becomes variables, those of dark pages apart', () => {
    const theme = { colorText: '#123', colorFocus: 'rgb(1 2 3 / 50%)', borderRadius: 0, fontFamily: 'serif' }
    expect(readTheme({ ...theme, spacing: undefined, dark: { colorText: '#fff' } })).toEqual({
      variables: {
        '--text': '#123',
        '--focus': 'rgb(1 2 3 / 50%)',
        '--radius': '0px',
        '--font': 'ui-serif, Georgia, serif',
      },
      dark: { '--text': '#fff' },
    })
    expect(readTheme(undefined)).toEqual({ variables: {}, dark: {} })
  })

  test.each([
    [{ colorText: 'red; background: url(https://thief.example)' }, /colorText/],
    [{ colorText: 'url(https://thief.example)' }, /colorText/],
    [{ colorText: 'x #fff' }, /colorText/],
    [{ colorText: '#fff; x' }, /colorText/],
    [{ colorText: 'var(--x)' }, /colorText/],
    [{ colorText: 'rgb(expression(alert(1)))' }, /colorText/],
    [{ colorText: '#12' }, /colorText/],
    [{ colorText: 1 }, /colorText/],
    [{ fontFamily: "x'; } * { display: none" }, /fontFamily/],
    [{ fontFamily: 'constructor' }, /fontFamily/],
    [{ fontSize: 12 }, /fontSize.*16 to 24/],
    [{ fontSize: '16px' }, /fontSize/],
    [{ fontSize: Number.NaN }, /fontSize/],
    [{ borderRadius: 1000 }, /borderRadius/],
    [{ toString: '#fff' }, /no toString/],
    [{ backgroundImage: '#fff' }, /no backgroundImage/],
    [{ dark: { spacing: 8 } }, /no dark.spacing/],
    [{ dark: { colorText: 'x' } }, /dark.colorText/],
  ])('of other things is refused: %j', (theme, message) => {
    expect(() => readTheme(theme)).toThrow(message)
  })
})

describe('texts', () => {
  test.each(LOCALES)('in %s are complete', (locale) => {
    for (const texts of [textsIn(locale), formTextsIn(locale, {})])
      for (const [name, text] of Object.entries(texts)) expect([name, text.trim() === '']).toEqual([name, false])
  })

  test('are those of the first language that we have', () => {
    expect(localeOf('de-AT', 'fr')).toBe('de')
    expect(localeOf('pt', null, '', 'ar_EG')).toBe('ar')
    expect(localeOf('xx', undefined)).toBe('en')
  })

  test('are replaced one by one, by texts only', () => {
    expect(textsIn('de', { declined: 'Nein.' })).toMatchObject({ declined: 'Nein.', canceled: textsIn('de').canceled })
    const texts = formTextsIn('en', { number: 'No.', cvc: 5, unknown: 'x', name: 'n'.repeat(300) })
    expect(texts).toMatchObject({ number: 'No.', cvc: 'Security code', name: 'n'.repeat(200) })
    expect(texts).not.toHaveProperty('unknown')
  })
})

describe('the message of an error', () => {
  test.each([
    ['card.do-not-honor', 'declined'],
    ['card.declined', 'declined'],
    ['gateway.declined', 'declined'],
    ['routing-rules.transaction-blocked', 'declined'],
    ['card.no-money', 'noMoney'],
    ['card.failed-3ds', 'authenticationFailed'],
    ['card.failed-3ds-technical', 'authenticationFailed'],
    ['card.expired-3ds', 'authenticationExpired'],
    ['customer.canceled', 'canceled'],
    ['customer.cancelled', 'canceled'],
    ['card.canceled-by-client', 'canceled'],
    ['payment.pending', 'pending'],
    ['network', 'network'],
    ['request.rate.exceeded', 'later'],
    ['server.unavailable', 'later'],
    ['resource.invoice.not-found', 'failed'],
    ['something.new', 'failed'],
  ])('of %s is %s', (code, name) => expect(textNameOf(code)).toBe(name))
})

test.each([
  [1280, 800, { width: 500, height: 600 }],
  [700, 560, { width: 600, height: 400 }],
  [450, 700, { width: 390, height: 400 }],
  [390, 844, null],
  [320, 568, null],
  [1280, 400, null],
])("in a window of %d by %d the bank's page has the size %j", (width, height, size) => {
  expect(windowSizeFor(width, height)).toEqual(size)
})

describe('the console of the page', () => {
  test.each([
    ['request.authentication.invalid', 'The project id is unknown.', true],
    ['resource.invoice.not-found', 'There is no such invoice.', true],
    ['sandbox.not-supported', 'number is not one of the test cards.', true],
    ['card.invalid-number', 'number is 4242', false],
    ['request.validation.invalid-name', 'name came as "Ann"', false],
    ['card.no-money', 'Declined.', false],
    ['payment.pending', 'Nobody knows.', false],
  ])('after %s is told what only its developer can mend', (code, detail, isTold) => {
    const told: string[] = []
    const { warn } = console
    console.warn = (text: string) => told.push(text)
    errorOf({ code, detail }, textsIn('en'))
    console.warn = warn
    expect(told).toEqual(isTold ? [`Holdfast: ${detail} (${code})`] : [])
  })
})
