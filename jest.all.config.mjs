import config from './jest.config.mjs'

/** Few of what the long file of the same name plays many of. */
const IN_SHORT = ['test/activities/random/(races|model)', 'test/http/hostile-requests'].map(
  (path) => `${path}\\.test\\.ts$`,
)

/** The configuration of `npm run test:all`: with the tests that need other toolchains, or take long. */
export default {
  ...config,
  testPathIgnorePatterns: ['/node_modules/', ...IN_SHORT],
  testSequencer: '<rootDir>/test/support/long-tests-first.mjs',
}
