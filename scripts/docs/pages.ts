import { errorsPage } from './errors-page.ts'
import { listsPage } from './lists-page.ts'

/** The pages of docs/ that are made from the code, by their file name. */
export const PAGES: Readonly<Record<string, () => string>> = {
  'errors.md': errorsPage,
  'lists.md': listsPage,
}
