import { readFileSync } from 'node:fs'
import { errorsPage } from './errors-page.ts'
import { eventsPage } from './events-page.ts'
import { statesPage } from './states-page.ts'
import { withWholeFiles } from './whole-files.ts'

const WEBHOOKS = new URL('../../docs/guides/webhooks.md', import.meta.url)

/** The pages of docs/ that are made from the code, by their file name. */
export const PAGES: Readonly<Record<string, () => string>> = {
  'errors.md': errorsPage,
  'events.md': eventsPage,
  'guides/webhooks.md': () => withWholeFiles(readFileSync(WEBHOOKS, 'utf8'), WEBHOOKS),
  'states.md': statesPage,
}
