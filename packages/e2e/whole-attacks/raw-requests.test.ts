import { everyRawRequestIsAnswered } from '../attacks/raw/every-raw-request.ts';
import { startTarget, type Target } from '../attacks/target.ts';

describe('every raw request to every listener is answered', function () {
  this.timeout(600_000);
  let target: Target;
  before(async () => {
    target = await startTarget();
  });
  after(() => target.stop());
  everyRawRequestIsAnswered(() => target);
});
