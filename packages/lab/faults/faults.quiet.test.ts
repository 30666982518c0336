import { survivesFaults } from './suite.ts';

/** One fault of each kind. `npm run test:nightly` runs all of them. */
const SAMPLE =
  /Postgres (swallows|has forgotten|is read-only)|disk full|Redis (refuses|has forgotten|is flushed|is out of memory)|RabbitMQ swallows|queue of mails|memory alarm|mail server refuses|core is killed/;

describe('while something is broken, the system', function () {
  this.timeout(120_000);
  survivesFaults(SAMPLE);
});
