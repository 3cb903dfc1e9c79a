import { expect, test } from '@jest/globals'
import axe from 'axe-core'
import type { BrowserContextOptions } from 'playwright-core'
import {
  bankPage,
  CARD,
  CHALLENGE,
  describeInChromium,
  dialog,
  enter,
  field,
  newPage,
  open,
  page,
  payWith,
  type Shop,
} from './chromium-stage.ts'
import type { ShopWindow } from './shop-page.ts'

declare const window: ShopWindow & typeof globalThis

const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 780 },
  deviceScaleFactor: 2,
  hasTouch: true,
  isMobile: true,
}

describeInChromium('what is seen', () => {
  /** What axe finds serious in the page or in one of its frames. */
  async function serious(): Promise<unknown[]> {
    // Looked at by itself, a transparent frame would count as white.
    const behind = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const found = await Promise.all(
      page.frames().map(async (frame) => {
        if (frame.url().includes('card-form'))
          await frame.evaluate((color) => document.body.style.setProperty('background', color), behind)
        await frame.evaluate(axe.source)
        const { violations } = (await frame.evaluate(
          'axe.run(document, { iframes: false, resultTypes: ["violations"] })',
        )) as { violations: { id: string; impact: string; nodes: { html: string }[] }[] }
        return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
      }),
    )
    return found.flat().map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
  }

  const filled = async () => {
    await enter(CARD)
    await field('cc-number').focus()
  }
  const wrong = () => page.evaluate(() => window.form.validate())

  test.each<[string, BrowserContextOptions, Shop, () => Promise<unknown>]>([
    ['form-filled', {}, {}, filled],
    ['form-dark-errors', { colorScheme: 'dark' }, {}, wrong],
    ['form-arabic-errors', {}, { client: { locale: 'ar' } }, wrong],
    ['form-phone', PHONE, { client: { locale: 'de' } }, filled],
    ['form-narrow', { viewport: { width: 280, height: 700 } }, { client: { locale: 'fr' } }, wrong],
  ])('%s has nothing that axe finds serious', async (name, options, shopOptions, act) => {
    await newPage(options)
    await open(shopOptions)
    await act()
    await page.waitForTimeout(150)
    expect(await serious()).toEqual([])
    const { width, isWide } = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      return { width: clientWidth, isWide: scrollWidth > clientWidth }
    })
    expect([name, width, isWide]).toEqual([name, width, false])
  })

  test.each<[string, BrowserContextOptions, Shop]>([
    ['challenge-phone', PHONE, {}],
    ['challenge-dark-arabic', { colorScheme: 'dark' }, { client: { locale: 'ar' } }],
  ])('%s has nothing that axe finds serious', async (_name, options, shopOptions) => {
    await newPage(options)
    await open(shopOptions)
    await payWith(CHALLENGE)
    await bankPage().getByLabel('Code').waitFor()
    expect(await serious()).toEqual([])
    const box = await page.locator('dialog section').boundingBox()
    if (options === PHONE) expect(box).toMatchObject({ x: 0, y: 0, width: 390, height: 780 })
    else expect(Math.round(box?.width ?? 0)).toBe(500)
  })

  test('on a phone stays within what the keyboard leaves of it', async () => {
    await newPage(PHONE)
    await open()
    await payWith(CHALLENGE)
    await bankPage().getByLabel('Code').waitFor()
    // As a keyboard does: the visible part gets smaller, the window does not.
    await page.evaluate(() => {
      Object.defineProperties(visualViewport, { height: { value: 400 }, offsetTop: { value: 40 } })
      visualViewport?.dispatchEvent(new Event('resize'))
    })
    expect(await dialog().boundingBox()).toMatchObject({ y: 40, height: 400 })
    expect(await page.locator('dialog section').boundingBox()).toMatchObject({ y: 40, height: 400 })
    expect(await page.getByRole('button', { name: 'Cancel' }).isVisible()).toBe(true)
  })
})
