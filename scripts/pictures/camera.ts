import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { Shop } from './stage.ts'
import type { COLOURS, Picture, Shot } from './table.ts'

type Colour = (typeof COLOURS)[number]

/** Pixels of a picture for each of the page: sharp on most screens, and small. */
const SCALE = 1.5
const QUALITY = 80
/** Pixels around an element that is cut out. */
const ROUND = 12
/** A machine that does other things as well is slow. */
const PATIENCE_MS = 60_000
/** A page that asks again and again is never quiet. */
const QUIET_MS = 3_000
/** Charts draw themselves in the frame after the last answer. */
const SETTLE_MS = 400

export interface Camera {
  /** @returns the picture as WebP, for which Chromium needs nobody's help. */
  take(picture: Picture, colour: Colour): Promise<Buffer>
}

export async function openCamera(browser: Browser, shop: Shop, fonts: string): Promise<Camera> {
  async function openWindow(options: BrowserContextOptions): Promise<Page> {
    const context = await browser.newContext({
      ...{ locale: 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce', deviceScaleFactor: SCALE, ...options },
    })
    await context.addInitScript(fonts)
    const page = await context.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    return page
  }

  const entrance = await openWindow({})
  await entrance.goto(`${shop.url}/dashboard/`)
  await entrance.getByLabel('Email').fill(shop.account.email)
  await entrance.getByRole('textbox', { name: 'Password' }).fill(shop.account.password)
  await entrance.getByRole('button', { name: 'Sign in', exact: true }).click()
  await entrance.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  const storageState = await entrance.context().storageState()
  await entrance.context().close()

  async function shoot(shot: Shot, colorScheme: Colour, format: 'webp' | 'png'): Promise<Buffer> {
    const { window: viewport, locale } = shot
    const page = await openWindow({ viewport, colorScheme, storageState, ...(locale !== undefined && { locale }) })
    try {
      await page.goto(await shot.address(shop))
      // A picture has no scrollbar, and no room for one.
      await page.evaluate("document.documentElement.style.scrollbarGutter = 'auto'")
      await shot.act?.(page)
      await shot.until(page).waitFor()
      await page.waitForLoadState('networkidle', { timeout: QUIET_MS }).catch(() => undefined)
      await page.waitForTimeout(SETTLE_MS)
      return await capture(page, await areaOf(page, shot), format)
    } finally {
      await page.context().close()
    }
  }

  async function compose({ shots, layout = 'row', captions = [] }: Picture, colour: Colour): Promise<Buffer> {
    const parts = []
    for (const shot of shots) parts.push(await shoot(shot, colour, 'png'))
    const page = await openWindow({ viewport: { width: 1_400, height: 1_400 }, colorScheme: colour })
    try {
      await page.setContent(composition(parts, shots, { layout, captions }))
      const session = await page.context().newCDPSession(page)
      await session.send('Emulation.setDefaultBackgroundColorOverride', { color: { r: 0, g: 0, b: 0, a: 0 } })
      await page.waitForFunction('[...document.images].every(({ complete }) => complete)')
      return await capture(page, await areaOf(page, { cut: 'main' }), 'webp')
    } finally {
      await page.context().close()
    }
  }

  return {
    take: (picture, colour) =>
      picture.layout === undefined ? shoot(picture.shots[0] as Shot, colour, 'webp') : compose(picture, colour),
  }
}

interface Area {
  x: number
  y: number
  width: number
  height: number
}

async function areaOf(page: Page, { cut }: Pick<Shot, 'cut'>): Promise<Area | undefined> {
  if (cut === undefined) return undefined
  if (typeof cut === 'number') return { x: 0, y: 0, width: page.viewportSize()?.width ?? 0, height: cut }
  const { of, height } = typeof cut === 'string' ? { of: cut } : cut
  const box = await page.locator(of).first().boundingBox()
  if (box === null) throw new Error(`${of} cannot be seen.`)
  const { x, y, width } = box
  return { x: x - ROUND, y: y - ROUND, width: width + 2 * ROUND, height: height ?? box.height + 2 * ROUND }
}

async function capture(page: Page, area: Area | undefined, format: 'webp' | 'png'): Promise<Buffer> {
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', {
    format,
    ...(format === 'webp' && { quality: QUALITY }),
    ...(area && { clip: { ...area, scale: 1 } }),
  })
  return Buffer.from(data, 'base64')
}

/** Shots as pictures in frames, on no ground: it lies on whatever page has it. */
function composition(
  parts: Buffer[],
  shots: readonly Shot[],
  { layout, captions }: Pick<Picture, 'layout' | 'captions'>,
) {
  const figures = parts.map((part, place) => {
    const caption = captions?.[place]
    const below = caption === undefined ? '' : `<figcaption><b>${place + 1}</b> ${caption}</figcaption>`
    return `<figure style="--width: ${shots[place]?.window.width}">${below}<img src="data:image/png;base64,${part.toString('base64')}"></figure>`
  })
  const [first = '', ...others] = figures
  const body = layout === 'story' ? `${first}<div>${others.join('')}</div>` : figures.join('')
  return `<!doctype html><style>
    :root { color-scheme: light dark; --line: light-dark(#d5dae3, #363c4a); --ink: light-dark(#3b4bc8, #a3adff) }
    body { margin: 0 } main { display: inline-flex; gap: 28px; padding: 8px; align-items: flex-start }
    main > div { display: grid; gap: 20px } figure { margin: 0 }
    img { display: block; border: 1px solid var(--line); border-radius: 12px; box-sizing: border-box }
    .row img { width: calc(var(--width) * .72px) } .story img { width: 860px } .story > figure img { width: 400px }
    figcaption { font: 600 20px Inter; padding-bottom: 10px; color: var(--ink) }
    b { display: inline-grid; place-items: center; width: 1.5em; height: 1.5em; border-radius: 50%; color: light-dark(#fff, #12151b); background: var(--ink) }
    </style><main class="${layout}">${body}</main>`
}
