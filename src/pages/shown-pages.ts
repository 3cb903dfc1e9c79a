import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { ERRORS } from '../../domain/errors.ts'
import { type LinkOf, markdownSections } from './markdown.ts'

/** A page of the repository that the service shows beside its reference, for who writes a shop. */
export interface ShownPage {
  /** In the repository: `docs/guides/quickstart.md`. */
  source: string
  /** Below `/docs`: `guides/quickstart`. */
  path: string
  title: string
}

const GUIDES = [
  'quickstart',
  'accept-a-card',
  'delayed-capture',
  'incremental-authorization',
  'merchant-initiated-payments',
  'webhooks',
  'errors',
  'going-live',
  'self-hosting',
]

const TOPICS = [
  'api',
  'authentication',
  'webhooks',
  'events',
  'states',
  'lists',
  'rate-limits',
  'card-form',
  'hosted-page',
  'mobile',
  'three-d-secure',
  'merchant-advice',
  'routing',
  'gateway-configurations',
  'test-clock',
  'compatibility',
]

const CLIENTS = ['node', 'cli']

const ROOT = new URL('../../', import.meta.url)

export const readSource = (source: string): string => readFileSync(new URL(source, ROOT), 'utf8')

function shown(source: string, path: string): ShownPage {
  const [, title = path] = /^# (.*)$/m.exec(readSource(source)) ?? []
  return { source, path, title }
}

export interface ShownPages {
  guides: readonly ShownPage[]
  topics: readonly ShownPage[]
}

/** Read at the first use: no process needs them to start. */
let pages: ShownPages | undefined
export function shownPages(): ShownPages {
  pages ??= {
    guides: [
      shown('docs/guides/README.md', 'guides/overview'),
      ...GUIDES.map((name) => shown(`docs/guides/${name}.md`, `guides/${name}`)),
    ],
    topics: [
      ...TOPICS.map((name) => shown(`docs/${name}.md`, `topics/${name}`)),
      ...CLIENTS.map((name) => shown(`clients/${name}/README.md`, `topics/${name}`)),
    ],
  }
  return pages
}

const allPages = (): ShownPage[] => {
  const { guides, topics } = shownPages()
  return [...guides, ...topics]
}

/** The page at `/docs/guides/:page` or `/docs/topics/:page`; null without one. */
export const findShownPage = (path: string): ShownPage | null => allPages().find((page) => page.path === path) ?? null

const TEST_CARDS: ShownPage = { source: 'src/gateways/simulator/README.md', path: 'test-cards', title: 'Test cards' }
const ERROR_CODES: ShownPage = { source: 'docs/errors.md', path: 'errors', title: 'Error codes' }

/** Pages that the service makes, and the page of the repository that says the same. */
export const MADE_PAGES: readonly ShownPage[] = [TEST_CARDS, ERROR_CODES]

/** @param up from the page that shows the text to `/docs/`: `../`, or nothing. */
export function linksOf(source: string, up: string): LinkOf {
  return (href) => {
    if (/^(https?:|#)/.test(href)) return href
    const [file = '', anchor] = href.split('#')
    const target = posix.normalize(posix.join(posix.dirname(source), file))
    const made = MADE_PAGES.find(({ source: one }) => one === target)
    if (made !== undefined) return `${up}${made.path}`
    const page = allPages().find((one) => one.source === target)
    return page === undefined ? null : `${up}${page.path}${anchor === undefined ? '' : `#${anchor}`}`
  }
}

/** What the search of the reference looks through beside itself. */
export interface Found {
  title: string
  /** The page that it is a part of; empty for the page itself. */
  page: string
  href: string
  text: string
}

/** Where a page is, from the reference: of a running service, or of the site. */
export type HrefOf = (page: Pick<ShownPage, 'source' | 'path'>) => string
export const inService: HrefOf = ({ path }) => `docs/${path}`

export function searchablePages(hrefOf: HrefOf): Found[] {
  const parts = [TEST_CARDS, ...allPages()].flatMap((page) =>
    markdownSections(readSource(page.source)).map(({ heading, anchor, text }) => ({
      title: heading === '' ? page.title : heading,
      page: heading === '' ? '' : page.title,
      href: `${hrefOf(page)}${anchor === '' ? '' : `#${anchor}`}`,
      text,
    })),
  )
  const errors = Object.entries(ERRORS).map(([code, { message, advice }]) => ({
    title: code,
    page: ERROR_CODES.title,
    href: `${hrefOf(ERROR_CODES)}#${code}`,
    text: `${message} ${advice}`,
  }))
  return [
    ...parts,
    { title: ERROR_CODES.title, page: '', href: hrefOf(ERROR_CODES), text: 'error_type error_code' },
    ...errors,
  ]
}
