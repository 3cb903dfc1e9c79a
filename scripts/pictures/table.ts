import type { FrameLocator, Locator, Page } from 'playwright-core'
import { CARDS } from '../sample-shop/story.ts'
import type { Shop } from './stage.ts'

export const COLOURS = ['light', 'dark'] as const

/** In docs/images. */
export const fileOf = (name: string, colour: (typeof COLOURS)[number]) =>
  `${name}${colour === 'dark' ? '-dark' : ''}.webp`

/** One look at a page; each is taken in both colours. */
export interface Shot {
  window: { width: number; height: number }
  /** Of the reader; otherwise British English. */
  locale?: string
  address(shop: Shop): string | Promise<string>
  /** What is done there before. */
  act?(page: Page): Promise<unknown>
  /** What can be seen when the page is whole. */
  until(page: Page): Locator
  /** Only this is kept: an element, the upper part of one, or so many pixels from the top. */
  cut?: string | { of: string; height: number } | number
}

/** A picture of one shot, or of several beside each other. `story` has the first one on the left and the others below each other. */
export interface Picture {
  shots: readonly Shot[]
  layout?: 'row' | 'story'
  /** Below each shot. */
  captions?: readonly string[]
}

const DESK = { width: 1280, height: 900 }
const PHONE = { width: 390, height: 780 }
const UI = { width: 1400, height: 900 }

const dashboard =
  (path: (shop: Shop) => string) =>
  (shop: Shop): string =>
    `${shop.url}/dashboard/#/${shop.projectId}${path(shop)}`
const heading = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { level: 1, name })
const text = (words: string | RegExp) => (page: Page) => page.getByText(words).first()

/** In the UI of Temporal, the first run of a workflow unless it is the last one. */
const temporal =
  (workflow: (shop: Shop) => string, tab: 'timeline' | 'user-metadata', run: 'first' | 'last' = 'last') =>
  async (shop: Shop): Promise<string> => {
    const runId = await shop.runOf(workflow(shop), run)
    return `${shop.temporalUrl}/namespaces/sandbox/workflows/${workflow(shop)}/${runId}/${tab}`
  }
const details = (words: string | RegExp) => (page: Page) =>
  page.frameLocator('iframe >> nth=-1').getByText(words).first()

const cardForm = (page: Page): FrameLocator => page.frameLocator('#card iframe')
const field = (name: string) => (page: Page) => cardForm(page).locator(`#cc-${name}`)
const bank = (page: Page) => page.frameLocator('#bank').frameLocator('iframe')

const type =
  (card: string, name: string) =>
  async (page: Page): Promise<void> => {
    await field('number')(page).fill(card)
    await field('exp')(page).fill('09/30')
    await field('csc')(page).fill('123')
    await field('name')(page).fill(name)
    await page.locator('h1').first().click()
  }
const pay = (card: string, name: string) => async (page: Page) => {
  await type(card, name)(page)
  await page.locator('button[name="pay"], #pay, #checkout button').first().click()
}
/** And stays there; the page would go back to the shop. */
const payWithCode = (card: string, name: string) => async (page: Page) => {
  await pay(card, name)(page)
  await bank(page).locator('input').first().fill('1234')
  await bank(page).locator('button').first().click()
  await page.locator('[data-leaving] button').click()
}

const hosted = (fields: object = {}) => ({ address: (shop: Shop) => shop.hosted(fields) })

const HOSTED: Shot = { window: PHONE, ...hosted(), act: type(CARDS.visa, 'Ada Lindqvist'), until: field('number') }
const PAYMENT: Shot = {
  window: DESK,
  address: dashboard(({ featured }) => `/payments/${featured}`),
  until: heading(/61\.00/),
}
const TIMELINE: Shot = {
  window: { width: 1280, height: 1_150 },
  address: temporal(({ featured }) => `payment-${featured}`, 'timeline', 'first'),
  until: text(/captured EUR 73.00/),
}

/**
 * Every picture of the README, of docs and of the site by its name in docs/images, where it lies in both colours. What they
 * show is in ../sample-shop/story.ts.
 */
export const PICTURES: Readonly<Record<string, Picture>> = {
  'hosted-dashboard-temporal': {
    layout: 'story',
    shots: [
      HOSTED,
      { ...PAYMENT, window: { width: 1040, height: 560 } },
      { ...TIMELINE, cut: { of: '//h2[contains(., "Timeline")]/../../..', height: 395 } },
    ],
    captions: ['The customer pays', 'The shop sees every step', 'Temporal carries them out'],
  },
  'payment-timeline': { shots: [TIMELINE] },
  'dashboard-overview': {
    shots: [{ window: { ...DESK, height: 1_250 }, address: dashboard(() => ''), until: text('Declines by code') }],
  },
  'dashboard-payments': {
    shots: [{ window: DESK, address: dashboard(() => '/payments'), until: text('4728') }],
  },
  'dashboard-payment': { shots: [PAYMENT] },
  'dashboard-disputes': {
    shots: [
      {
        window: { ...DESK, height: 560 },
        address: dashboard(() => '/disputes?state=all'),
        until: (page) => page.getByRole('row').nth(3),
      },
    ],
  },
  'hosted-page': { shots: [{ ...HOSTED, window: { width: 1100, height: 620 } }] },
  'hosted-page-phones': {
    layout: 'row',
    shots: [
      {
        ...hosted(),
        ...{ window: PHONE, locale: 'fr-FR', act: pay(CARDS.challenge, 'Élodie Marchand') },
        until: (page) => bank(page).locator('input').first(),
      },
      {
        ...hosted(),
        ...{ window: PHONE, locale: 'de-DE', act: pay('4000000000002206', 'Jürgen Weiß') },
        until: (page) => page.locator('#problem'),
      },
      {
        ...hosted(),
        ...{ window: PHONE, locale: 'es-ES', act: payWithCode(CARDS.challenge, 'María José Ibáñez') },
        until: (page) => page.locator('[data-view="paid"]'),
      },
      {
        ...hosted({ currency: 'AED' }),
        ...{ window: PHONE, locale: 'ar-AE', act: type(CARDS.mastercard, 'عائشة المنصوري'), until: field('number') },
      },
    ],
  },
  reference: {
    shots: [
      {
        window: { width: 1280, height: 760 },
        address: ({ url }) => `${url}/docs#authorizeInvoice`,
        until: (page) => page.locator('#authorizeInvoice'),
      },
    ],
  },
  'card-form': {
    layout: 'row',
    shots: [
      {
        ...{ window: { width: 480, height: 900 }, address: ({ demoUrl }) => demoUrl },
        act: (page) => field('number')(page).fill(CARDS.french),
        until: (page) => cardForm(page).getByText('Carte Bancaire').first(),
        cut: '#card',
      },
      {
        ...{ window: { width: 480, height: 900 }, address: ({ demoUrl }) => demoUrl },
        act: (page) => page.locator('button[name="pay"]').click(),
        until: (page) => cardForm(page).locator('[role=alert]:not(:empty)').first(),
        cut: '#card',
      },
    ],
  },
  'demo-challenge': {
    shots: [
      {
        window: { width: 900, height: 820 },
        address: ({ demoUrl }) => demoUrl,
        act: pay(CARDS.challenge, 'Ada Lindqvist'),
        until: (page) => bank(page).getByLabel('Code'),
      },
    ],
  },
  'support-finished': {
    shots: [
      {
        window: UI,
        address: temporal(({ released }) => `payment-${released}`, 'timeline'),
        until: text('captured EUR 49.00 of EUR 61.00, EUR 12.00 released'),
      },
    ],
  },
  'support-refunded': {
    shots: [
      {
        ...{ window: UI, cut: 700 },
        address: temporal(({ refunded }) => `payment-${refunded}`, 'user-metadata'),
        until: details('refunded EUR 12.00 of EUR 61.00'),
      },
    ],
  },
  'support-waiting': {
    shots: [
      {
        ...{ window: UI, cut: 700 },
        address: temporal(({ waiting }) => `payment-${waiting}`, 'user-metadata'),
        until: details('captures EUR 49.00 by itself'),
      },
    ],
  },
  'support-failed': {
    shots: [
      {
        window: UI,
        address: temporal(({ declined }) => `payment-${declined}`, 'timeline'),
        until: text(/EUR 61.00 declined/),
      },
    ],
  },
  'support-webhook': {
    shots: [
      {
        ...{ window: UI, cut: 700 },
        address: temporal(({ eventId }) => `webhook-${eventId}`, 'user-metadata'),
        until: details('HTTP 503'),
      },
    ],
  },
}
