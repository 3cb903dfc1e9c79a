import { expect, test } from '@jest/globals'
import type { BrowserContextOptions } from 'playwright-core'
import { openInvoice } from './hosted-invoices.ts'
import { answerBank, bankPage, CARDS, describeInChromium, newPage, payWith, seriousBarriers, stage } from './stage.ts'

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

describeInChromium('the hosted page, in windows of every kind', () => {
  const lines = [
    { name: 'Coffee, 1 kg', amount: '11.00', quantity: 2 },
    { name: 'Mug', amount: '7.00' },
  ]
  test.each<[string, BrowserContextOptions, object]>([
    ['desktop-dark', { colorScheme: 'dark', locale: 'de-DE' }, { details: lines, cancel_url: 'https://shop.example' }],
    ['phone-arabic', { ...PHONE, locale: 'ar-AE' }, { details: lines, amount: '29', currency: 'KWD' }],
    ['narrow', { viewport: { width: 320, height: 640 }, locale: 'de' }, { details: lines, amount: '99999999999.99' }],
  ])(
    '%s has nothing that axe finds serious, nothing that moves, and no scroll bar across',
    async (_name, options, fields) => {
      await newPage({ ...options, reducedMotion: 'no-preference' })
      await stage.page.addInitScript(
        `window.shifts = []; new PerformanceObserver((list) => shifts.push(...list.getEntries().map(({ value }) => value)))
        .observe({ type: 'layout-shift', buffered: true })`,
      )
      const shop = { statement_descriptor: 'Bean and Mug', statement_descriptor_company: 'Bean and Mug' }
      await openInvoice({ name: 'Order 4711', ...shop, ...fields })
      await stage.page.waitForTimeout(300)
      expect(await stage.page.evaluate('shifts.reduce((sum, shift) => sum + shift, 0)')).toBeLessThan(0.01)
      expect(await seriousBarriers()).toEqual([])
      await payWith(CARDS.challenge)
      await bankPage().locator('[name="code"]').waitFor()
      await answerBank()
      await stage.page.locator('[data-view="paid"]').waitFor()
      // Looking may take longer than the page waits before it leads back to the shop.
      await stage.page.locator('[data-leaving] button').click()
      expect(await seriousBarriers()).toEqual([])
      expect(
        await stage.page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth'),
      ).toBe(false)
      expect(stage.complaints).toEqual([])
    },
  )
})
