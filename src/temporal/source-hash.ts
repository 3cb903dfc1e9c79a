import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** A hash of all files in some folders and of some single files; of a file that is not there, that it is not. */
export async function hashSources(root: string, folders: readonly string[], files: readonly string[]): Promise<string> {
  const read = (folder: string) => readdir(join(root, folder), { recursive: true, withFileTypes: true })
  const entries = (await Promise.all(folders.map(read))).flat().filter((entry) => entry.isFile())
  const paths = [
    ...entries.map((entry) => join(entry.parentPath, entry.name)).sort(),
    ...files.map((one) => join(root, one)),
  ]
  const contents = await Promise.all(paths.map((path) => readFile(path).catch(() => null)))
  const hash = createHash('sha256')
  for (const [index, content] of contents.entries())
    hash.update(JSON.stringify([relative(root, paths[index] as string), content?.length ?? null])).update(content ?? '')
  return hash.digest('hex')
}
