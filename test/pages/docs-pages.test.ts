import { describe, expect, test } from '@jest/globals'
import { ERRORS, type ErrorCode } from '../../domain/errors.ts'
import { findTestCard } from '../../src/gateways/simulator/test-cards.ts'
import { withLinks } from '../../src/objects/error-body.ts'
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
