import { accountsAreNotEnumerated } from './enumeration/enumeration.ts';
import { startTarget, type Target } from './target.ts';

describe('enumeration', function () {
  this.timeout(180_000);
  let target: Target;
  before(async () => {
    target = await startTarget();
  });
  after(() => target.stop());

  accountsAreNotEnumerated(() => target);
});
