import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'

/** Holds one file, named after its release. */
const FOLDER = fileURLToPath(new URL('./release/', import.meta.url))
const ENDING = '.json.br'

export interface Release {
  version: string
  /** Their texts by their paths. */
  files: Record<string, string>
}

export function readRelease(): Release {
  const [file] = readdirSync(FOLDER).filter((name) => name.endsWith(ENDING))
  if (file === undefined) throw new Error('No release is kept; npm run record-release keeps the one of this tree.')
  const files = JSON.parse(brotliDecompressSync(readFileSync(join(FOLDER, file))).toString('utf8'))
  return { version: file.slice(0, -ENDING.length), files }
}

/** In place of the one that was kept before. */
export function keepRelease({ version, files }: Release): number {
  const text = Buffer.from(JSON.stringify(files))
  const compressed = brotliCompressSync(text, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
    },
  })
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER)
  writeFileSync(join(FOLDER, `${version}${ENDING}`), compressed)
  return compressed.length
}
