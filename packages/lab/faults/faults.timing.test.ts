import { survivesFaults } from './suite.ts';

describe('while anything is broken, the system', function () {
  this.timeout(120_000);
  survivesFaults();
});
