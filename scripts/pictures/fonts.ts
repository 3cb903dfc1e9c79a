import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { npmTools } from '../npm-tools.ts'

const PACKAGES = ['inter', 'noto-sans-arabic']
/** The alphabets of the shop's customers; the second font has only what the first one has not. */
const FACES = /inter-(latin|latin-ext|greek|cyrillic)-wght-|arabic-arabic-wght-/

/**
 * A script for every page before its own, so that it is written alike on every machine. The pages keep their policies: a
 * font of bytes is asked for nowhere.
 */
export async function fontScript(): Promise<string> {
  const tools = await npmTools('pictures', new URL('tools/', import.meta.url))
  const faces = PACKAGES.flatMap((name) => {
    const folder = join(tools, 'node_modules/@fontsource-variable', name)
    const css = readFileSync(join(folder, 'index.css'), 'utf8')
    return [...css.matchAll(/url\((\S+)\)[\s\S]*?unicode-range: ([^;]*);/g)]
      .filter(([, file = '']) => FACES.test(file))
      .map(([, file = '', range = '']) => [readFileSync(join(folder, file)).toString('base64'), range])
  })
  return `for (const [base64, unicodeRange] of ${JSON.stringify(faces)}) {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    document.fonts.add(new FontFace('Inter', bytes, { weight: '100 900', unicodeRange }))
  }
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(':root { --font: Inter !important } html, body { font-family: Inter, sans-serif !important }')
  document.adoptedStyleSheets = [sheet]`
}
