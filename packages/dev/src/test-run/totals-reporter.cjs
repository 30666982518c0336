// Mocha's usual output. At the end it writes the totals and failures to a file. CommonJS, because mocha loads reporters
// with `require`.
const { writeFileSync } = require('node:fs');
const { relative } = require('node:path');
const { reporters, Runner } = require('mocha');

module.exports = class extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const failed = [];
    runner.on(Runner.constants.EVENT_TEST_FAIL, (test, error) => {
      if (test.file === undefined) return; // a hook outside of files; it is counted nevertheless
      const [reason] = String(error?.message ?? error).split('\n');
      failed.push({ file: relative(process.cwd(), test.file), name: test.fullTitle(), reason });
    });
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      const { passes, failures } = runner.stats;
      writeFileSync(
        options.reporterOptions.totals,
        JSON.stringify({ passed: passes, failed: failures, failures: failed }),
      );
    });
  }
};
