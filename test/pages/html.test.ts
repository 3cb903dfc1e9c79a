import { describe, expect, test } from '@jest/globals'
import { documentText, type HtmlChild, h, inline } from '../../src/pages/html.ts'

const HOSTILE = `<img src=x onerror="alert('1')">&`
const ESCAPED = `&lt;img src=x onerror=&quot;alert('1')&quot;>&amp;`

const written = (...children: HtmlChild[]) =>
  documentText({ title: '', lang: 'en', body: h('p', null, ...children) }).replace(/^.*<body>|<\/body>.*$/gs, '')

describe('a page', () => {
  test('escapes texts between elements and in attributes', () => {
    expect(written(HOSTILE, 7)).toBe(`<p>${ESCAPED}7</p>`)
    expect(written(h('b', { title: HOSTILE }))).toBe(`<p><b title="${ESCAPED}"></b></p>`)
  })

  test('has elements, alone and in lists, nothing of false, null and undefined, and 0 and the empty text', () => {
    const items = ['a', '<b>'].map((item) => h('li', null, item))
    expect(written(h('ul', null, items))).toBe('<p><ul><li>a</li><li>&lt;b></li></ul></p>')
    expect(written(false, null, undefined, [], '|', 0, '|', '')).toBe('<p>|0|</p>')
    expect(written(h('input', { required: true, disabled: false, title: null }))).toBe('<p><input required/></p>')
  })

  test('does not take an object that looks like an element for one', () => {
    const disguised: unknown = JSON.parse('{"type":"script","props":{"children":"alert(1)"},"constructor":"x"}')
    expect(written(disguised as HtmlChild)).toBe('<p></p>')
  })

  test('has scripts and style sheets of ours as they are', () => {
    expect(written(inline('style', { nonce: 'a"' }, 'p > a { }'))).toBe(
      '<p><style nonce="a&quot;">p > a { }</style></p>',
    )
  })

  test.each([
    ['a script', () => h('script', { type: 'module' }, 'x')],
    ['a style sheet', () => h('STYLE', null, 'p { color: red }')],
    ['a handler of events', () => h('p', { onClick: 'x' })],
    ['a style', () => h('p', { style: 'color: red' })],
    ['a document in an attribute', () => h('iframe', { srcdoc: 'x' })],
    ['markup', () => h('p', { dangerouslySetInnerHTML: 'x' })],
  ])('refuses a value in %s', (_, make) => {
    expect(make).toThrow(TypeError)
  })

  test.each(['href', 'src', 'action', 'formaction', 'HREF'])('refuses addresses that would run code in %s', (name) => {
    const make = (address: string) => written(h('a', { [name]: address }))
    for (const address of [
      'javascript:alert(1)',
      ' JavaScript:alert(1)',
      'java\nscript:alert(1)',
      '\u0001vbscript:x',
      'data:text/html,x',
    ])
      expect(() => make(address)).toThrow(TypeError)
    for (const address of ['/pay/iv_1', 'https://shop.example/?a=1&b=2', 'com.example.app://service/return', '#data:'])
      expect(make(address)).toContain(`"${address.replace('&', '&amp;')}"`)
    expect(written(h('p', { title: 'javascript:x' }))).toContain('"javascript:x"')
  })
})
