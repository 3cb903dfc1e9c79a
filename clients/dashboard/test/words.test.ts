/** The texts of the pages: every language has all of them, and the pages have no others. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { parseSync } from '@swc/core'
import compile from 'icu-minify/compile'
import { ERRORS, type ErrorEntry } from '../../../domain/errors.ts'
import { ROOT } from '../../test/project-copy.ts'
import german from '../src/words/catalogue/de/index.ts'
import english from '../src/words/catalogue/en/index.ts'
import french from '../src/words/catalogue/fr/index.ts'
import { readAmount, untyped } from '../src/words/format.ts'
import { languageOf } from '../src/words/language.ts'
import { isolated, t } from '../src/words/words.ts'

const SOURCES = join(ROOT, 'clients/dashboard/src')

/** The names that a compiled message asks for, in the order of the alphabet. */
function namesIn(node: unknown): string[] {
  if (!Array.isArray(node)) return typeof node === 'object' && node !== null ? Object.values(node).flatMap(branch) : []
  const [name, ...rest] = node
  return [name, ...rest.flatMap(namesIn)]
}
const branch = (nodes: unknown): string[] => (Array.isArray(nodes) ? nodes.flatMap(namesIn) : [])
const namesOf = (message: string) => [...new Set(branch(compile(message)))].sort()

function textsOf(catalogue: object, path = ''): [string, string][] {
  return Object.entries(catalogue).flatMap(([key, text]) =>
    typeof text === 'string' ? [[path + key, text] as [string, string]] : textsOf(text, `${path}${key}.`),
  )
}

describe.each(Object.entries({ german, french }))('the %s texts', (_name, { failures, ...catalogue }) => {
  const texts = new Map(textsOf(catalogue))

  test('are those of the English ones, with the same names in them', () => {
    const names = (each: Iterable<[string, string]>) => [...each].map(([key, text]) => [key, ...namesOf(text)])
    expect(names(texts)).toEqual(names(textsOf(english)))
  })

  test('are translated, where they are sentences', () => {
    const same = textsOf(english).filter(([key, text]) => /\w \w+ \w/.test(text) && texts.get(key) === text)
    expect(same).toEqual([])
  })

  test('say of every code with which a payment can fail what it means and what to do, each in other words than English', () => {
    const codes = Object.entries<ErrorEntry>(ERRORS).filter(([, { retryClass }]) => retryClass !== undefined)
    expect(Object.keys(failures).sort()).toEqual(codes.map(([code]) => code).sort())
    const english = new Set(codes.flatMap(([, { message, advice }]) => [message, advice]))
    const wrong = Object.entries(failures).filter(
      ([, said]) => said.length !== 2 || said.some((text) => !/^\p{Lu}.+\.$/u.test(text) || english.has(text)),
    )
    expect(wrong).toEqual([])
  })
})

/** What is written the same in every language, or is no text: names, keys of the keyboard, headers. */
const NAMES = [
  ...['Holdfast', 'English', 'Deutsch', 'Français', 'Enter', 'Escape'],
  ...[
    'Accept',
    'Content-Type',
    'Content-Disposition',
    'Idempotency-Key',
    'Retry-After',
    'X-CSRF-Token',
    'X-Project-Id',
  ],
  ...['American Express', 'american express', 'Carte Bancaire', 'carte bancaire', 'UnionPay'],
  ...['PublicKeyCredential', 'InvalidStateError'],
  ...['Visa', 'Mastercard', 'Discover', 'Maestro'],
  // Of the lines for a shell, and of a rule.
  ...['export KEY=', 'name="Order 1"', 'currency == EUR AND amount < 30'],
]

interface Node {
  type?: string
  value?: string
  cooked?: string
  callee?: { value?: string; object?: { value?: string } }
  name?: { value?: string }
  arguments?: unknown[]
}

const namesLeftOut = (text: string) => NAMES.reduce((left, name) => left.replace(name, ''), text)
const isText = (text: string) => /(?<!\p{L})\p{Lu}\p{Ll}|\p{L}{2,} +\p{L}/u.test(namesLeftOut(text))

/** The texts that the code of a page has in itself: of elements, of their properties, of objects and of calls. */
function textsIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(textsIn)
  if (typeof node !== 'object' || node === null) return []
  const { type = '', value = '', cooked = '', callee, name } = node as Node
  if (/^(?:Import|Export(?:All|Named)|Ts(?:Literal|Type|Interface|Index|Module))/.test(type)) return []
  if (type === 'NewExpression' && callee?.value === 'Error') return []
  if (type === 'JSXAttribute' && name?.value === 'className') return []
  if (type === 'CallExpression' && [callee?.value, callee?.object?.value].includes('t'))
    return textsIn((node as Node).arguments?.slice(1))
  // A mark that ends what stands before it is another one in another language, or stands apart from it.
  if (type === 'JSXText') return /\p{L}|^[.,:;!?]/u.test(namesLeftOut(value)) ? [value.trim()] : []
  if (type === 'StringLiteral') return isText(value) ? [value] : []
  if (type === 'TemplateElement') return isText(cooked) ? [cooked] : []
  return Object.values(node).flatMap(textsIn)
}

const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
  (path) => /\.tsx?$/.test(path) && !path.startsWith('words/catalogue/'),
)

test.each(sources)('%s has no text but those of the catalogue', (path) => {
  const code = readFileSync(join(SOURCES, path), 'utf8')
  expect(textsIn(parseSync(code, { syntax: 'typescript', tsx: path.endsWith('x') }).body)).toEqual([])
})

test.each([
  ['<Page title="Late payments" />', ['Late payments']],
  ['<p>late <b>payments</b></p>', ['late', 'payments']],
  ["say('It was late.')", ['It was late.']],
  ["const columns = [{ title: 'Late' }]", ['Late']],
  ["<p>{t('payments.late')}. <b>{name}</b>: {t('payments.early')}</p>", ['.', ':']],
  ["<p className='late row'>{t('payments.late')} · Holdfast</p>", []],
])('a text in %s is found', (code, texts) => {
  expect(textsIn(parseSync(code, { syntax: 'typescript', tsx: true }).body)).toEqual(texts)
})

test.each([
  [null, ['de-AT', 'en'], 'de', 'de-AT'],
  [null, ['pl', 'fr', 'de'], 'fr', 'fr'],
  [null, ['pl'], 'en', 'en'],
  ['fr', ['de-AT', 'fr-CA'], 'fr', 'fr-CA'],
  ['de', ['en-GB'], 'de', 'de'],
  ['toString', [], 'en', 'en'],
])('who has chosen %s in a browser of %j reads %s, numbers as %s', (chosen, preferred, language, locale) => {
  expect(languageOf(chosen, preferred)).toEqual({ language, locale })
})

test.each([
  ['29,00', '29.00'],
  [' 29.00 ', '29.00'],
  ['1.500', ''],
  ['1.234,50', '1.234.50'],
])('%s of a German is read as %j', (text, number) => {
  expect(untyped(text, [',', '.'])).toBe(number)
})

test('a text of others turns nothing around it', () => {
  expect(isolated('a\u202Eb\u2069\u200Fc')).toBe('abc')
  expect(isolated('\u202Eدينا\u2069')).toBe('\u2068دينا\u2069')
  expect(t('shell.person.menu', { name: isolated('دينا') })).toBe('\u2068دينا\u2069: account and appearance')
  expect(readAmount('x', 'EUR', '29.00').problem).toBe('Enter an amount such as 10.50, with “.” before the decimals.')
})
