// Mocha's usual output. At the end it sends the totals and failures to the process that runs mocha. CommonJS, because mocha
// loads reporters with `require`.
const { relative } = require('node:path');
const { reporters, Runner } = require('mocha');

module.exports = class extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const failures = [];
    runner.on(Runner.constants.EVENT_TEST_FAIL, (test, error) => {
      if (test.file === undefined) return; // a hook outside of files; it is counted nevertheless
      const [reason] = String(error?.message ?? error).split('\n');
      failures.push({ file: relative(process.cwd(), test.file), name: test.fullTitle(), reason });
    });
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      process.send?.({ passed: runner.stats.passes, failed: runner.stats.failures, failures });
    });
  }
};
