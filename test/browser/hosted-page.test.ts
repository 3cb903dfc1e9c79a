import { expect, test } from '@jest/globals'
import { authorizationsOf, heading, invoiceOf, makeInvoice, openInvoice, problem } from './hosted-invoices.ts'
import {
  answerBank,
  bankPage,
  CARDS,
  cardField,
  cardForm,
  describeInChromium,
  enterCard,
  keepPicture,
  payButton,
  payWith,
  seriousBarriers,
  stage,
} from './stage.ts'

describeInChromium('the hosted page', () => {
  test('takes the secret out of the address, is paid once however often it is sent, and leads back', async () => {
    const id = await openInvoice()
    expect(stage.page.url()).toBe(`${stage.stack.baseUrl}/pay/${id}`)
    await enterCard(CARDS.approved)
    await cardField('cc-name').press('Enter')
    await payButton()
      .dblclick({ force: true, noWaitAfter: true })
      .catch(() => {})
    await heading('Thank you').waitFor()
    await stage.page.waitForURL(`${stage.merchant.url}/thanks?a=1&invoice_id=${id}`)
    expect(await invoiceOf(id)).toMatchObject({ status: 'completed', transaction: { captured_amount: '29.00' } })
    expect(await authorizationsOf(id)).toHaveLength(1)
    expect(stage.merchant.asked.filter((address) => address.includes(id))).toHaveLength(1)
    expect(stage.complaints).toEqual([])
  })

  test('takes another card after a decline, and goes on after a reload in the middle of a challenge', async () => {
    const id = await openInvoice()
    await payWith(CARDS.declined)
    await problem().getByText('The card was declined.').waitFor()
    await keepPicture('hosted-declined')
    // What was typed stays, but for the security code.
    expect((await cardField('cc-number').inputValue()).replaceAll(' ', '')).toBe(CARDS.declined)
    expect(await cardField('cc-csc').inputValue()).toBe('')
    await cardForm().locator('#cc-number:focus').waitFor()
    await payWith(CARDS.challenge)
    await bankPage().getByLabel('Code').waitFor()
    await stage.page.reload()
    await answerBank()
    await heading('Thank you').waitFor()
    expect(await authorizationsOf(id)).toHaveLength(2)
    await stage.page.reload()
    await heading('This has been paid').waitFor()
  })

  test('goes on with a payment that the server of the merchant has begun', async () => {
    const { stack, page } = stage
    const { id } = await makeInvoice()
    const { id: source } = await stack.createCard({ number: CARDS.challenge })
    const { body } = await stack.post(`/invoices/${id}/authorize`, { source })
    expect(body.error_type).toBe('card.needs-authentication')
    await page.goto(body.customer_action.value)
    expect(page.url()).toBe(`${stack.baseUrl}/pay/${id}`)
    await answerBank()
    await heading('Thank you').waitFor()
    // The terms of the merchant stay: it was asked to be authorized only.
    expect(await invoiceOf(id)).toMatchObject({ status: 'authorized' })
  })

  test('charges the card that was entered last, in another tab, and says in both that it is paid', async () => {
    const { stack, context, page: first } = stage
    const { id, address } = await makeInvoice({ return_url: null })
    const second = await context.newPage()
    const inTab = async (page: typeof first, act: () => Promise<void>) => {
      stage.page = page
      await act()
    }
    await inTab(second, async () => void (await stage.page.goto(address)))
    await inTab(first, async () => void (await stage.page.goto(address)))
    await payWith(CARDS.challenge)
    await bankPage().getByLabel('Code').waitFor()
    await inTab(second, () => payWith(CARDS.approved))
    await heading('Thank you').waitFor()
    const { status, transaction } = await invoiceOf(id)
    expect([status, transaction.captured_amount]).toEqual(['completed', '29.00'])
    expect((await stack.get(`/cards/${transaction.card_id}`)).body.card.last_4_digits).toBe(CARDS.approved.slice(-4))
    // The bank has nothing more to ask there.
    await inTab(first, () => stage.page.getByRole('button', { name: 'Cancel' }).first().click())
    await heading('Thank you').waitFor()
    expect(await authorizationsOf(id)).toHaveLength(2)
  })

  test('takes another try after a challenge that failed, and one that was closed', async () => {
    await openInvoice()
    await payWith(CARDS.challengeFails)
    await answerBank()
    await problem().getByText('Your bank could not confirm the payment.').waitFor()
    await payWith(CARDS.challenge)
    await stage.page.getByRole('button', { name: 'Cancel' }).first().click()
    await problem().getByText('The payment was canceled.').waitFor()
    // The same by the bank's own button, and by Escape within its frame.
    for (const cancel of [
      () => bankPage().getByRole('button', { name: 'Cancel' }).click(),
      () => bankPage().locator('#code:focus').press('Escape'),
    ]) {
      await payButton().click()
      await bankPage().locator('#code:focus').waitFor()
      await cancel()
      await problem().getByText('The payment was canceled.').waitFor()
    }
    expect(await cardField('cc-number').inputValue()).not.toBe('')
    await payButton().click()
    await answerBank()
    await heading('Thank you').waitFor()
  })

  test('is paid with the keyboard alone, which is told what happens', async () => {
    await openInvoice({ cancel_url: `${stage.merchant.url}/basket` })
    const { keyboard } = stage.page
    // In the sandbox the link to the test cards comes first.
    for (const _ of ['test cards', 'card number']) await keyboard.press('Tab')
    for (const text of [CARDS.challenge, '1230', '123']) {
      await keyboard.type(text)
      await keyboard.press('Tab')
    }
    await keyboard.type('Ann Example')
    await keyboard.press('Tab')
    expect(await stage.page.evaluate('document.activeElement.id')).toBe('pay')
    await keyboard.press('Space')
    await bankPage().getByLabel('Code').waitFor()
    await bankPage().locator('#code:focus').waitFor()
    await keyboard.type('1234')
    await keyboard.press('Enter')
    await heading('Thank you').waitFor()
    expect(await stage.page.evaluate('document.activeElement.textContent')).toBe('Thank you')
    await keyboard.press('Tab')
    await keyboard.press('Enter')
    await heading('Back in the shop').waitFor()
  })

  test('says that the bank is slow, and cannot be left meanwhile', async () => {
    await openInvoice({ cancel_url: `${stage.merchant.url}/basket` })
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await stage.page.route('**/authorize', (route) => held.then(() => route.continue()))
    await stage.page.route('**/capture', (route) => held.then(() => route.continue()))
    await enterCard(CARDS.approved)
    await payButton().click()
    await stage.page.getByText('Your bank has not answered yet.').waitFor()
    await keepPicture('hosted-slow')
    const look =
      '[document.querySelector("#cancel").inert, getComputedStyle(document.querySelector("#cancel")).opacity]'
    expect(await stage.page.evaluate(look)).toEqual([true, '0.45'])
    expect(await seriousBarriers()).toEqual([])
    answer()
    await heading('Thank you').waitFor()
  })

  test('is one page for everybody without a proof', async () => {
    const { page, stack } = stage
    const { id } = await makeInvoice()
    await page.goto(`${stack.baseUrl}/pay/${id}?client_secret=ivs_wrong`)
    await heading('This page cannot be opened').waitFor()
    expect(page.url()).toBe(`${stack.baseUrl}/pay/${id}`)
    await keepPicture('hosted-not-found')
    expect(await seriousBarriers()).toEqual([])
  })

  test('is shown in no frame of another page', async () => {
    const { page, merchant } = stage
    const { address } = await makeInvoice()
    await page.goto(merchant.url)
    await page.evaluate(`document.body.append(Object.assign(document.createElement('iframe'), { src: '${address}' }))`)
    await page.waitForTimeout(1_000)
    expect(await page.frameLocator('iframe').locator('#card').count()).toBe(0)
  })
})
