import { readFileSync } from 'node:fs'

/** The link to a file, alone in its line and with a colon behind it, and the block of code below. */
const WHOLE_FILE = /^(\[`[^`]+`\]\(([^)]+)\):\n\n```\w+\n).*?^```$/gms

/** A page with each block of code that shows a whole file as that file is now; `page` is the address of the page. */
export function withWholeFiles(text: string, page: URL): string {
  return text.replaceAll(WHOLE_FILE, (_, head, path) => `${head}${readFileSync(new URL(path, page), 'utf8')}\`\`\``)
}
