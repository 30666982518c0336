// Mocha's usual output, and at the end the totals in a file. CommonJS, as mocha loads reporters by `require`.
const { writeFileSync } = require('node:fs');
const { reporters, Runner } = require('mocha');

module.exports = class extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      const { passes, failures } = runner.stats;
      writeFileSync(options.reporterOptions.totals, JSON.stringify({ passed: passes, failed: failures }));
    });
  }
};
