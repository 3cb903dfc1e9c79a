import config from './jest.config.mjs'

/** The configuration of `npm run test:all`: with the tests that need other toolchains, or take long. */
export default {
  ...config,
  testPathIgnorePatterns: ['/node_modules/'],
  testSequencer: '<rootDir>/test/support/long-tests-first.mjs',
}
