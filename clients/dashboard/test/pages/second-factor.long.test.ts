import { expect, test } from '@jest/globals'
import { TOTP } from 'otpauth'
import { removeSecondFactors } from '../../../../src/persistence/queries/people/second-factors.ts'
import { PASSWORD } from '../../../../test/dashboard/browser.ts'
import { takePicture } from '../../../../test/support/chromium.ts'
import {
  addressOf,
  barriers,
  button,
  describeDashboard,
  dialog,
  enterCredentials,
  link,
  newAccount,
  newWindow,
  resize,
  row,
  section,
  seen,
  stage,
  textbox,
} from './stage.ts'

/** Passkeys need a name in the address, which 127.0.0.1 is not. */
const byName = (path = '') => addressOf(path).replace('127.0.0.1', 'localhost')

const noneTold = () => stage.page.getByRole('alert').waitFor({ state: 'detached' })

const overview = () => stage.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()

/** A device with passkeys, plugged into the window; returns how it is unplugged. */
async function plugIn(): Promise<() => Promise<unknown>> {
  const cdp = await stage.context.newCDPSession(stage.page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return () => cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
}

async function signOut(): Promise<void> {
  await button(/account and appearance/).click()
  await stage.page.getByRole('menuitem', { name: 'Sign out' }).click()
  await button('Sign in').waitFor()
}

/** The codes that are shown this once. */
async function takeCodes(): Promise<string[]> {
  await seen('Store the codes')
  const codes = (await textbox('Codes').inputValue()).split(' ')
  expect(await barriers('[role=dialog]')).toEqual([])
  await takePicture(stage.page, 'second-factor-recovery-codes')
  await button('I have copied it').click()
  await dialog().waitFor({ state: 'detached' })
  return codes
}

describeDashboard('the second factor', () => {
  test('is a passkey, which signs in after the password; a recovery code does where the device is lost', async () => {
    const { email } = await newAccount('owner')
    await newWindow()
    const unplug = await plugIn()
    const { page } = stage
    await page.goto(byName('/account'))
    await enterCredentials(email)
    await button('Add a passkey').click()
    await textbox('Your password').fill(PASSWORD)
    await textbox('Name of the device').fill('Laptop')
    await takePicture(page, 'second-factor-new-passkey')
    await button('Add').click()
    const [code = '', other = ''] = await takeCodes()
    await seen('Passkey Laptop', section('Second factor'))
    expect(await barriers()).toEqual([])
    await takePicture(page, 'second-factor-account')

    await signOut()
    await enterCredentials(email)
    await seen('Confirm that it is you')
    expect(await barriers()).toEqual([])
    await takePicture(page, 'second-factor-confirm')
    await button('Use a passkey').click()
    await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor()

    await signOut()
    await unplug()
    await enterCredentials(email)
    await button('I have lost my device').click()
    await takePicture(page, 'second-factor-lost')
    await textbox('Recovery code').fill('0000-0000-0000-0000')
    await button('Confirm').click()
    await seen(/wrong, or was used/)
    // What was refused is told no longer where something else is asked.
    await button('I have my device').click()
    await noneTold()
    await button('I have lost my device').click()
    await textbox('Recovery code').fill(code)
    await button('Confirm').click()
    await seen('9 recovery codes left')
    await button('Remove Passkey Laptop').click()
    await textbox('Your password').fill(PASSWORD)
    await button('Remove', dialog()).click()
    await seen('None yet: your password alone signs in.')
    await signOut()
    await enterCredentials(email)
    await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor()
    expect(other).not.toBe('')
  })

  test('is required by a project: its people set up an app with codes, and the operator takes it from who has lost all', async () => {
    const { stack } = stage
    const { id, email } = await newAccount('owner')
    await newWindow()
    const { page } = stage
    await page.goto(addressOf('/account'))
    await enterCredentials(email)
    await seen('open the dashboard by localhost')
    const setUp = async () => {
      await button('Set up an authenticator app').click()
      await textbox('Your password').fill(PASSWORD)
      await button('Go on').click()
      const secret = await textbox('Key').inputValue()
      expect(await barriers('[role=dialog]')).toEqual([])
      await takePicture(page, 'second-factor-new-app')
      const code = (steps = 0) =>
        new TOTP({ secret }).generate({ timestamp: stack.clock.now().getTime() + steps * 30_000 })
      await dialog().getByRole('textbox', { name: 'Code' }).fill(code())
      await button('Set up').click()
      await takeCodes()
      return code
    }
    await setUp()
    await link('People').click()
    // The table moves what is below it when it comes, and the click waits for nothing.
    await seen('Yes', row(email))
    await page.getByRole('checkbox', { name: 'Require a second factor' }).click({ force: true })
    await seen('A second factor is now required.')
    expect(await barriers()).toEqual([])
    await takePicture(page, 'second-factor-rule')

    const colleague = await newAccount('support')
    await newWindow()
    await stage.page.goto(addressOf('/payments'))
    await enterCredentials(colleague.email)
    await stage.page.getByRole('heading', { level: 1, name: 'Set up a second factor' }).waitFor()
    expect(await barriers()).toEqual([])
    await resize('phone')
    await takePicture(stage.page, 'second-factor-required')
    await resize('wide')
    await stack.database.orm.em
      .fork()
      .transactional((em) => removeSecondFactors(em, id, { actor: 'operator', reason: 'lost' }))
    await page.goto(addressOf('/people'))
    await page.reload()
    await page.getByLabel('Email').fill(email)
    await page.getByRole('textbox', { name: 'Password' }).first().fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Set up a second factor' }).waitFor()
    await stack.database.orm.em.fork().execute('update project set requires_second_factor = false')
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'People' }).waitFor()
  })

  test('is a code of an app, once', async () => {
    const { email } = await newAccount('developer')
    await newWindow()
    const { page } = stage
    await page.goto(addressOf('/account'))
    await enterCredentials(email)
    await button('Set up an authenticator app').click()
    await textbox('Your password').fill(PASSWORD)
    await button('Go on').click()
    const secret = await textbox('Key').inputValue()
    const codeOf = (steps: number) =>
      new TOTP({ secret }).generate({ timestamp: stage.stack.clock.now().getTime() + steps * 30_000 })
    await dialog().getByRole('textbox', { name: 'Code' }).fill(codeOf(0))
    await button('Set up').click()
    await takeCodes()
    await signOut()
    await page.goto(addressOf())
    await enterCredentials(email)
    await textbox('Code of your app').fill('000000')
    await button('Confirm').click()
    await seen(/wrong or was used/)
    await button('I have lost my device').click()
    await noneTold()
    await button('I have my device').click()
    await textbox('Code of your app').fill(codeOf(1))
    await button('Confirm').click()
    await overview()
  })
})
