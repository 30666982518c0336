// Loaded by every process that runs test files: assigns its servers to it, and fails if our code causes a warning of
// Node. CommonJS, because mocha loads it with `require`.
const { TEST_SERVERS, MOCHA_WORKER_ID = '0' } = process.env;

if (TEST_SERVERS !== undefined) {
  const workers = JSON.parse(TEST_SERVERS);
  Object.assign(process.env, workers[Number(MOCHA_WORKER_ID) % workers.length]);
}

const warnings = [];
process.on('warning', (warning) => {
  if (isOurs(warning)) warnings.push(warning.stack);
});

/** Whether our code, and no library, called the function of Node that warns. */
function isOurs({ stack = '' }) {
  const caller = stack.split('\n').find((line) => /^ {4}at /.test(line) && !/\bnode:/.test(line));
  return caller !== undefined && !caller.includes('/node_modules/');
}

module.exports.mochaHooks = {
  // After all tests of the process, because a failing hook ends the run of all that are left.
  afterAll() {
    const found = warnings.splice(0);
    if (found.length > 0) throw new Error(`Node warns about our code: ${found.join('\n')}`);
  },
};
