import { during } from '@gatehouse/runtime/testing';
import { accountsAreNotEnumerated } from './enumeration/enumeration.ts';
import { BCRYPT_COST } from './enumeration/every-class.ts';
import { startTarget } from './target.ts';

describe('enumeration', function () {
  this.timeout(180_000);
  const target = during(() => startTarget({ ownServers: false, bcryptCost: BCRYPT_COST }));

  accountsAreNotEnumerated(target);
});
