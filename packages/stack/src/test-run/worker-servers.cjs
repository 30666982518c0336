// Loaded by every process that runs test files: assigns its servers to it. CommonJS, because mocha loads it with
// `require`.
const { TEST_SERVERS, MOCHA_WORKER_ID = '0' } = process.env;

if (TEST_SERVERS !== undefined) {
  const workers = JSON.parse(TEST_SERVERS);
  Object.assign(process.env, workers[Number(MOCHA_WORKER_ID) % workers.length]);
}
