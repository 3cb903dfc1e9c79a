import { errorsPage } from './errors-page.ts'
import { eventsPage } from './events-page.ts'
import { statesPage } from './states-page.ts'

/** The pages of docs/ that are made from the code, by their file name. */
export const PAGES: Readonly<Record<string, () => string>> = {
  'errors.md': errorsPage,
  'events.md': eventsPage,
  'states.md': statesPage,
}
