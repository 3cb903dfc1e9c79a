import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UsageError } from '../../src/processes/command-line.ts'

/** The templates are a gateway of their own, named Placeholder, so that the compiler sees them like everything else. */
const TEMPLATES = fileURLToPath(new URL('.', import.meta.url))

interface Names {
  /** `acme-pay` */
  name: string
  /** `AcmePay` */
  pascal: string
  /** `ACME_PAY` */
  constant: string
  /** `Acme Pay` */
  title: string
}

/**
 * Writes the folders of a gateway.
 *
 * @param wanted.name small letters, digits and single hyphens
 * @returns the files by their paths within the project, and the names that the code uses
 * @throws UsageError where one of the folders exists; nothing is written then.
 */
export async function writeGateway(wanted: { project: string; name: string; title: string }) {
  const { project, name, title } = wanted
  const pascal = name
    .split('-')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('')
  const names: Names = { name, pascal, constant: name.toUpperCase().replaceAll('-', '_'), title }
  const folders = [
    { from: join(TEMPLATES, 'gateway'), to: `src/gateways/${name}` },
    { from: join(TEMPLATES, 'stand-in'), to: `stand-ins/${name}` },
    { from: join(TEMPLATES, 'tests'), to: `test/gateways/${name}` },
  ]
  const taken = folders.find(({ to }) => existsSync(join(project, to)))
  if (taken !== undefined) throw new UsageError(`${taken.to} is there already; nothing was written.`)
  const files: string[] = []
  for (const { from, to } of folders) {
    await mkdir(join(project, to), { recursive: true })
    for (const file of (await readdir(from)).sort()) {
      const path = `${to}/${file.replace('placeholder', name)}`
      await writeFile(join(project, path), named(await readFile(join(from, file), 'utf8'), names), { flag: 'wx' })
      files.push(path)
    }
  }
  return { files, names }
}

/** A template in the names of the gateway, and with the paths of the place that it goes to. */
function named(template: string, { name, pascal, constant, title }: Names): string {
  return template
    .replaceAll('../../../scripts/new-gateway/gateway/', `../../../src/gateways/${name}/`)
    .replaceAll('../../../stand-ins/', '../')
    .replaceAll('../../../scripts/new-gateway/stand-in/', `../../../stand-ins/${name}/`)
    .replaceAll('../../../test/gateways/', '../')
    .replace(/'\.\.\/\.\.\/\.\.\/src\/gateways\/(account|gateway)\.ts'/g, "'../$1.ts'")
    .replaceAll('PLACEHOLDER', constant)
    .replace(/\b(create|start|model)Placeholder/g, `$1${pascal}`)
    .replaceAll('Placeholder', title)
    .replaceAll('placeholder', name)
}
