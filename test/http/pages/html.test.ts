import { describe, expect, test } from '@jest/globals'
import { html, trusted } from '../../../src/http/pages/html.ts'

const HOSTILE = `<img src=x onerror="alert('1')">&`

describe('html', () => {
  test('escapes texts and numbers between elements', () => {
    expect(String(html`<p>${HOSTILE} ${7}</p>`)).toBe(
      '<p>&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp; 7</p>',
    )
  })

  test('escapes texts in attributes, whichever quotes they have', () => {
    expect(String(html`<p title="${HOSTILE}" lang='${HOSTILE}'>`)).toBe(
      `<p title="&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;" lang='&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;'>`,
    )
  })

  test('keeps markup, alone and in lists, also between attributes', () => {
    const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`)

    expect(String(html`<ul>${items}</ul>`)).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul>')
    expect(String(html`<input ${html`required`} ${false}>`)).toBe('<input required >')
  })

  test('leaves nothing behind of false, null and undefined, and keeps 0 and the empty text', () => {
    expect(String(html`<p>${false}${null}${undefined}${[]}|${0}|${''}</p>`)).toBe('<p>|0|</p>')
  })

  test('does not take what looks like markup for markup', () => {
    const disguised = { toString: () => '<b>' } as unknown as string
    expect(String(html`<p>${JSON.stringify({ text: '<b>' })}</p>`)).toBe(
      '<p>{&quot;text&quot;:&quot;&lt;b&gt;&quot;}</p>',
    )
    expect(() => html`<p>${disguised}</p>`).toThrow(TypeError)
  })

  test('takes trusted text as it is, also in scripts and style sheets', () => {
    expect(String(html`<style nonce="${'a'}">${trusted('p > a { }')}</style><p>${'<'}</p>`)).toBe(
      '<style nonce="a">p > a { }</style><p>&lt;</p>',
    )
  })

  test.each([
    ['a script', () => html`<script>const name = ${'x'}</script>`],
    ['a script in quotes', () => html`<script type="module">const name = "${'x'}"</script>`],
    ['a style sheet', () => html`<STYLE>p { color: ${'red'} }</STYLE>`],
    ['a comment', () => html`<!-- ${'x'} -->`],
    ['an attribute without quotes', () => html`<p title=${'x'}>`],
    ['an attribute without quotes, even as markup', () => html`<p title=${html`x`}>`],
    ['an attribute without quotes, after a space', () => html`<p title= ${html`x`}>`],
    ['the name of an element', () => html`<${'p'}>`],
    ['the name of an element that ends', () => html`</${html`p`}>`],
    ['the name of an attribute', () => html`<p data-${'x'}="1">`],
    ['the space between attributes', () => html`<p ${'onclick=alert(1)'}>`],
    ['a handler of events', () => html`<p onclick="go('${'x'}')">`],
    ['a style', () => html`<p style="color: ${'red'}">`],
    ['a document in an attribute', () => html`<iframe srcdoc="${'x'}"></iframe>`],
    ['an attribute, as markup', () => html`<p title="${html`<b>`}">`],
  ])('refuses a value in %s', (_, make) => {
    expect(make).toThrow(TypeError)
  })

  test.each(['href', 'src', 'action', 'formaction', 'HREF'])('refuses addresses that would run code in %s', (name) => {
    // The template must be a literal one for each name.
    const make = (address: string) =>
      html(Object.assign([`<a ${name}="`, '">'], { raw: [] }) as unknown as TemplateStringsArray, address)
    for (const address of [
      'javascript:alert(1)',
      ' JavaScript:alert(1)',
      'java\nscript:alert(1)',
      '\u0001vbscript:x',
      'data:text/html,x',
    ])
      expect(() => make(address)).toThrow(TypeError)
    for (const address of ['/pay/iv_1', 'https://shop.example/?a=1&b=2', 'com.example.app://service/return', '#data:'])
      expect(String(make(address))).toContain(address.replace('&', '&amp;'))
  })

  test('sees an address only where it begins', () => {
    expect(String(html`<a href="/search?q=${'javascript:x'}">`)).toBe('<a href="/search?q=javascript:x">')
    expect(String(html`<p title="${'javascript:x'}">`)).toBe('<p title="javascript:x">')
  })

  test('knows where it is after quotes, comments, scripts and signs that begin nothing', () => {
    expect(
      String(
        html`<!doctype html><!-- "quoted' --><script>if (1 < 2) "</p>"</script><p title="a > b" lang='"'>1 < 2 ${'<'}</p>`,
      ),
    ).toBe(`<!doctype html><!-- "quoted' --><script>if (1 < 2) "</p>"</script><p title="a > b" lang='"'>1 < 2 &lt;</p>`)
  })

  test('finds the places of a template once, and writes its values anew', () => {
    const line = (text: string) => String(html`<p title="${text}">${text}</p>`)

    expect([line('a'), line('<')]).toEqual(['<p title="a">a</p>', '<p title="&lt;">&lt;</p>'])
  })
})
