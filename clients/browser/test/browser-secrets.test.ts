import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import {
  api,
  bank,
  bankPage,
  CARD,
  CHALLENGE,
  confirmAtBank,
  describeInChromium,
  dialog,
  endings,
  field,
  logged,
  open,
  page,
  payWith,
  requests,
  shop,
  untilEnded,
} from './chromium-stage.ts'
import type { ShopWindow } from './shop-page.ts'

declare const window: ShopWindow & typeof globalThis

/** What a frame has stored; the text of the error where it may store nothing. */
function storageOf(): string {
  try {
    return JSON.stringify([{ ...localStorage }, { ...sessionStorage }])
  } catch (error) {
    return String(error)
  }
}

describeInChromium('a card', () => {
  test('the number and the code are in no message, storage, console or request but the one to the API', async () => {
    await open({ options: { client_secret: 'ivs_1' } })
    await payWith(CHALLENGE)
    await bankPage().getByLabel('Code').waitFor()
    // What a reload needs is kept meanwhile, without the secret.
    const remembered = await page.evaluate(() => JSON.stringify({ ...sessionStorage }))
    expect(remembered).toContain('card_1')
    expect(remembered).not.toMatch(/ivs_1|4000/)
    await confirmAtBank()
    await untilEnded()
    await page.evaluate(() => window.form.validate())
    const kept = await page.evaluate(() => ({
      messages: window.messages,
      events: window.events,
      endings: window.endings,
      local: { ...localStorage },
      session: { ...sessionStorage },
      cookies: document.cookie,
      html: document.documentElement.outerHTML,
      resources: performance.getEntries().map(({ name }) => name),
    }))
    expect(kept.messages.length).toBeGreaterThan(10)
    const bySite = [JSON.stringify(kept), logged.join('\n'), shop.seen.join('\n')]
    const frames = page.frames().map((frame) => frame.evaluate(storageOf))
    const digits = (text: string) => text.replace(/[\s"/-]/g, '')
    for (const text of [...bySite, ...(await Promise.all(frames))]) {
      expect(digits(text)).not.toContain(CHALLENGE)
      // The first digits neither, but for the last four of the stored card.
      expect(digits(text)).not.toContain(CHALLENGE.slice(0, 8))
      expect(text).not.toContain('cvc2')
    }
    expect(JSON.stringify([kept.local, kept.session, kept.cookies])).toBe('[{},{},""]')
    const carriers = requests.filter(({ url, body }) => digits(url + body).includes(CHALLENGE))
    expect(carriers.map(({ url }) => url)).toEqual([`${api.url}/cards`])
    expect(api.seen.find(({ path }) => path === '/cards')?.origin).toBe(api.url)
  })
})

describeInChromium('a stranger', () => {
  test('cannot show the form or the bank in a frame where the merchant has listed the pages', async () => {
    const frames = ['card-form', 'bank-frame']
      .map((name) => `<iframe src="${api.url}/js/v1/${name}.html?project=test-proj_1"></iframe>`)
      .join('')
    await page.goto(`${bank.url}/`)
    await page.setContent(frames)
    await page.waitForTimeout(500)
    for (const frame of page.frames().slice(1)) expect(frame.url()).toMatch(/^chrome-error:/)
  })

  test.each([
    '.thief.example/three-d-s/iv_1/act_1',
    '/js/v1/card-form.html',
    '@thief.example/three-d-s/',
    '/three-d-s',
  ])('cannot have the frame of the bank show another page: %s', async (path) => {
    await open()
    const frames = await page.evaluate(
      async (address) => {
        const frame = document.createElement('iframe')
        frame.src = address
        const loaded = new Promise((resolve) => frame.addEventListener('load', resolve))
        document.body.append(frame)
        await loaded
        return frame.contentWindow?.length
      },
      `${api.url}/js/v1/bank-frame.html?project=test-proj_1#${encodeURIComponent(path)}`,
    )
    expect(frames).toBe(0)
  })

  test('says in a file that the form is shown by a server only', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'holdfast-file-')), 'checkout.html')
    const setUp = `new Holdfast.Client('test-proj_1').setupForm('#card').catch((error) => { document.title = error.detail })`
    writeFileSync(
      file,
      `<div id="card"></div><script src="${api.url}/js/v1/holdfast.js"></script><script>${setUp}</script>`,
    )
    await page.goto(`file://${file}`)
    await page.waitForFunction(() => document.title !== '')
    expect(await page.locator('#card').textContent()).toBe(await page.title())
    expect(await page.title()).toMatch(/opened as a file/)
  })

  test('cannot use the form as a page of its own', async () => {
    await page.goto(`${api.url}/js/v1/card-form.html?project=test-proj_1`)
    expect(await page.locator('body').textContent()).toMatch('cannot be shown here')
    expect(await page.locator('input').count()).toBe(0)
  })

  test('cannot connect to a form that is connected, or by the wrong project', async () => {
    await open()
    await field('cc-number').fill(CARD)
    const heard = await page.evaluate(async (origin) => {
      const frame = document.querySelector('#card iframe') as HTMLIFrameElement
      const { port1, port2 } = new MessageChannel()
      const got: unknown[] = []
      port1.onmessage = ({ data }) => got.push(data)
      const message = { type: 'holdfast.connect', projectId: 'test-proj_1', options: {} }
      frame.contentWindow?.postMessage(message, origin, [port2])
      port1.postMessage({ type: 'tokenize', id: 1, data: {} })
      await new Promise((resolve) => setTimeout(resolve, 300))
      return got
    }, api.url)
    expect(heard).toEqual([])
    const refused = await page.evaluate(async (address) => {
      const frame = document.createElement('iframe')
      frame.src = address
      const loaded = new Promise((resolve) => frame.addEventListener('load', resolve))
      document.body.append(frame)
      await loaded
      const { port1, port2 } = new MessageChannel()
      const answer = new Promise((resolve) => {
        port1.onmessage = ({ data }) => resolve(data)
      })
      const message = { type: 'holdfast.connect', projectId: 'test-proj_2', options: {} }
      frame.contentWindow?.postMessage(message, '*', [port2])
      return answer
    }, `${api.url}/js/v1/card-form.html?project=test-proj_1`)
    expect(refused).toMatchObject({ type: 'refused', failure: { code: 'request.authentication.invalid' } })
  })

  test('in a frame beside the form cannot connect to it before its page does', async () => {
    shop.pages.set('/beside', {
      html: `<!doctype html><title>Shop</title>
        <iframe src="${api.url}/js/v1/card-form.html?project=test-proj_1"></iframe><iframe src="${bank.url}/"></iframe>`,
    })
    await page.goto(`${shop.url}/beside`)
    const connect = async (address: string) => {
      const { port1, port2 } = new MessageChannel()
      const answer = new Promise((resolve) => {
        port1.onmessage = ({ data }) => resolve(data.type)
        setTimeout(() => resolve('nothing'), 500)
      })
      const message = { type: 'holdfast.connect', projectId: 'test-proj_1', options: {} }
      // The page itself, or the frame of the bank, whose parent that is.
      parent.frames[0]?.postMessage(message, address, [port2])
      return answer
    }
    const stranger = page.frames().find((frame) => frame.url().startsWith(bank.url))
    expect(await stranger?.evaluate(connect, api.url)).toBe('nothing')
    expect(await page.evaluate(connect, api.url)).not.toBe('nothing')
  })

  test('cannot connect to a form in a page without an origin, as in a sandboxed frame of a shop', async () => {
    const form = `<iframe src='${api.url}/js/v1/card-form.html?project=test-proj_1'></iframe>`
    shop.pages.set('/sandboxed', {
      html: `<!doctype html><title>Shop</title><iframe sandbox="allow-scripts" srcdoc="${form}"></iframe>`,
    })
    await page.goto(`${shop.url}/sandboxed`)
    const heard = await page
      .mainFrame()
      .childFrames()[0]
      ?.evaluate(async () => {
        const { port1, port2 } = new MessageChannel()
        const answer = new Promise((resolve) => {
          port1.onmessage = ({ data }) => resolve(data.type)
          setTimeout(() => resolve('nothing'), 500)
        })
        const message = { type: 'holdfast.connect', projectId: 'test-proj_1', options: {} }
        frames[0]?.postMessage(message, '*', [port2])
        return [origin, await answer]
      })
    expect(heard).toEqual(['null', 'nothing'])
  })

  test('ends no challenge by a message: of another origin, of another frame, or about another action', async () => {
    const invoice = await open()
    await payWith(CHALLENGE)
    await bankPage().getByLabel('Code').waitFor()
    const value = String(api.api.invoice(invoice).attempt?.action)
    const asked = api.api.requests.length
    const forged = { type: 'service.three-d-s', action: value, token: 'gway_req_eyJ9' }
    // The page itself; the frame of the form, whose origin is that of the API; the bank.
    await page.evaluate((message) => window.postMessage(message, '*'), forged)
    for (const frame of page.frames().slice(1))
      await frame.evaluate(
        (message) => {
          parent.postMessage(message, '*')
          top?.postMessage(message, '*')
        },
        { ...forged, ...(frame.url().includes('bank-frame') ? { action: `${value}x` } : {}) },
      )
    await page.waitForTimeout(500)
    expect(await dialog().isVisible()).toBe(true)
    expect(api.api.requests.length).toBe(asked)
    await confirmAtBank()
    await untilEnded()
    expect(await endings()).toEqual([['success', invoice]])
  })
})
