import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { ERRORS, type ErrorCode } from '../../domain/errors.ts'
import { findTestCard } from '../../src/gateways/simulator/test-cards.ts'
import { withLinks } from '../../src/objects/error-body.ts'
import { shownPages } from '../../src/pages/shown-pages.ts'
import { interfaceForFile } from '../http/interface.ts'

const api = interfaceForFile()

async function pageAt(url: string) {
  const response = await fetch(url)
  return {
    status: response.status,
    policy: response.headers.get('content-security-policy'),
    text: await response.text(),
  }
}

/** What is linked from a page, and the ids that links may name there. */
const linksIn = (text: string) => [...text.matchAll(/ href="([^"]+)"/g)].map(([, href = '']) => href)
const hasAnchor = (text: string, hash: string) => hash === '' || text.includes(` id="${decodeURI(hash.slice(1))}"`)

describe('a page of the repository beside the reference', () => {
  const { guides, topics } = shownPages()
  const texts = new Map<string, string>()
  const read = async (url: string) => {
    const text = texts.get(url) ?? (await pageAt(url)).text
    texts.set(url, text)
    return text
  }

  test.each([...guides, ...topics])('$path is whole, and its links lead somewhere', async ({ path, title }) => {
    const url = `${api.url}/docs/${path}`
    const text = await read(url)
    const words = text.replaceAll(/<(pre|style|code)\b.*?<\/\1>/gs, '')
    expect(text).toContain(`<h1>${title}</h1>`)
    expect(words.match(/```|\]\(|\*\*|<picture|^#+ |^\|.*/m)?.[0]).toBeUndefined()
    for (const href of linksIn(text)) {
      const target = new URL(href, url)
      if (target.origin !== api.url) continue
      const there = await read(target.origin + target.pathname)
      expect([href, there.startsWith('<!doctype html>') && hasAnchor(there, target.hash)]).toEqual([href, true])
    }
  })

  test('is in the image', () => {
    const copied = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8')
    for (const { source } of [...guides, ...topics]) {
      const folder = dirname(source)
      const lines = [`COPY ${source} ${source}\n`, `COPY ${folder}/*.md ${folder}/\n`, `COPY ${folder} ${folder}\n`]
      expect([source, lines.some((line) => copied.includes(line))]).toEqual([source, true])
    }
  })
})

describe('pages beside the reference', () => {
  test('the address of every code leads to what is said of it, and that of a word of a gateway to the page', async () => {
    const linkOf = (code: string): URL => {
      const answer = withLinks({ error_type: code, request_id: 'req_1' }, api.url.replace(/\/$/, ''))
      return new URL((answer as { doc_url: string }).doc_url)
    }
    const { status, text } = await pageAt(String(linkOf('card.declined')))
    expect(status).toBe(200)
    const articles = new Map(text.split('<article id="').map((part) => [part.split('"')[0], part] as const))
    for (const code of Object.keys(ERRORS) as ErrorCode[]) {
      const { pathname, hash } = linkOf(code)
      expect([pathname, hash]).toEqual(['/docs/errors', `#${code}`])
      expect(articles.get(code)?.replaceAll('&#39;', "'").replaceAll('&quot;', '"')).toContain(ERRORS[code].advice)
    }
    expect(articles.get('sandbox.not-supported')).toContain('href="test-cards"')
    expect(linkOf('51_insufficient').hash).toBe('')
  })

  test('has every test card', async () => {
    const { text, policy } = await pageAt(`${api.url}/docs/test-cards`)
    const numbers = [...text.matchAll(/<code class="number">(\d+)<\/code>/g)].map(([, number = '']) => number)
    expect(numbers.length).toBeGreaterThan(80)
    expect(numbers.filter((number) => findTestCard(number) === null)).toEqual([])
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-/)
    expect(text).toContain('<h1>Test cards</h1><p>The card number decides')
  })
})
