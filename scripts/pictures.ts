/**
 * `npm run pictures -- NAME…`: starts a sandbox, fills it with a shop that has a history, makes every picture of README, docs
 * and site, or those named, and leaves nothing behind but them. Needs Chromium.
 */
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../src/embedded/ports.ts'
import { createProgram, runProgram, TERMINAL, UsageError } from '../src/processes/command-line.ts'
import { runProcess, say } from '../src/processes/run-process.ts'
import type { Shutdown } from '../src/shutdown.ts'
import { StartupError } from '../src/startup-error.ts'
import { launch, makeMachine } from '../test/journeys/launched.ts'
import { findChromium, launch as launchBrowser } from '../test/support/find-chromium.ts'
import { memoryFolder } from '../test/support/guardian/run-folder.ts'
import { openCamera } from './pictures/camera.ts'
import { fontScript } from './pictures/fonts.ts'
import { NAME, openStage } from './pictures/stage.ts'
import { COLOURS, fileOf, PICTURES } from './pictures/table.ts'
import { openSandbox } from './sample-shop/sandbox.ts'
import { fillShop } from './sample-shop/shop.ts'

const FOLDER = fileURLToPath(new URL('../docs/images/', import.meta.url))

const program = createProgram('pictures', TERMINAL)
  .description(
    'Starts a sandbox with a shop that has a history, makes pictures of it, and leaves nothing behind but them.',
  )
  .argument('[name...]', `which, of scripts/pictures/table.ts; all where none is named`)
  .action((names: string[]) => {
    const strange = names.filter((name) => !Object.hasOwn(PICTURES, name))
    if (strange.length > 0)
      throw new UsageError(`There is no picture ${strange.join(', ')} in scripts/pictures/table.ts.`)
    return runProcess(async (shutdown) => {
      await takePictures(shutdown, names)
      shutdown.request(`The pictures are in ${FOLDER}.`, 0)
    })
  })
process.exitCode = await runProgram(program, process.argv.slice(2), TERMINAL)

async function takePictures(shutdown: Shutdown, wanted: readonly string[]): Promise<void> {
  const chromium = findChromium()
  if (chromium === null)
    throw new StartupError('There is no Chromium: "apt-get install chromium-headless-shell", or set CHROMIUM_PATH.')
  say('Starting a sandbox')
  const machine = await makeMachine(memoryFolder())
  shutdown.add({ name: 'The sandbox', stop: machine.remove })
  await machine.start()
  const sandbox = await openSandbox(await machine.sandbox(), await machine.databaseUrl())
  shutdown.add({ name: 'The database', stop: sandbox.close })
  say('Filling it with the history of a shop')
  await sandbox.sql('update project set name = $1', [NAME])
  let demoUrl = ''
  const shown = await fillShop(sandbox, {
    ...{ say, signal: shutdown.signal },
    async beforeShown() {
      // From then on it gets the webhooks.
      demoUrl = await openDemo(machine.dataFolder, shutdown)
    },
  })
  const shop = openStage(sandbox, shown, demoUrl)
  const browser = await launchBrowser(chromium)
  shutdown.add({ name: 'The browser', stop: () => browser.close() })
  const camera = await openCamera(browser, shop, await fontScript())
  // Side by side, since most of the time is waiting for pages.
  await Promise.all(
    COLOURS.map(async (colour) => {
      for (const [name, picture] of Object.entries(PICTURES)) {
        if (wanted.length > 0 && !wanted.includes(name)) continue
        shutdown.signal.throwIfAborted()
        const image = await camera.take(picture, colour)
        writeFileSync(FOLDER + fileOf(name, colour), image)
        say(`  ${fileOf(name, colour)}, ${Math.round(image.length / 1_024)} kB`)
      }
    }),
  )
  const current = new Set(Object.keys(PICTURES).flatMap((name) => COLOURS.map((colour) => fileOf(name, colour))))
  for (const file of readdirSync(FOLDER)) if (!current.has(file)) rmSync(FOLDER + file)
}

/** The demo shop, whose server gets the webhooks. */
async function openDemo(dataFolder: string, shutdown: Shutdown): Promise<string> {
  const port = await freePort()
  const demo = launch('demo/shop.ts', { DATA_DIR: dataFolder }, ['--port', String(port)], dirname(dirname(FOLDER)))
  shutdown.add({
    name: 'The demo shop',
    async stop() {
      demo.kill('SIGTERM')
      await demo.exited()
    },
  })
  await demo.printed('The shop is open')
  return `http://localhost:${port}`
}
