import { accountsAreNotEnumerated } from './enumeration/enumeration.ts';
import { BCRYPT_COST } from './enumeration/every-class.ts';
import { startTarget, type Target } from './target.ts';

describe('enumeration', function () {
  this.timeout(180_000);
  let target: Target;
  before(async () => {
    target = await startTarget({ ownServers: false, bcryptCost: BCRYPT_COST });
  });
  after(() => target.stop());

  accountsAreNotEnumerated(() => target);
});
