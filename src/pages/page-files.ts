import type { ClientFile } from '../http/files/client-files.ts'
import type { PageFiles } from './hosted-page.ts'

const MADE_FILE = 'hosted-page.json'

/** What the hosted page loads, as `scripts/build-clients.mjs` has named it. */
export function pageFilesIn(files: ReadonlyMap<string, ClientFile>): PageFiles {
  return JSON.parse(String(files.get(MADE_FILE)?.body)) as PageFiles
}

/** The style sheet of the hosted page, for pages that stand in frames of shops and load nothing. */
export function pageStyleIn(files: ReadonlyMap<string, ClientFile>): string {
  return String(files.get(pageFilesIn(files).style)?.body)
}
